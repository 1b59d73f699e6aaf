/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** A client that is recognized by its package as unsuitable for locks. */
@NullMarked
package io.dynamolock.dynamodb.dax;

import org.jspecify.annotations.NullMarked;
