/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** A client whose package tells that it is none for locks. */
@NullMarked
package io.dynamolock.dynamodb.dax;

import org.jspecify.annotations.NullMarked;
