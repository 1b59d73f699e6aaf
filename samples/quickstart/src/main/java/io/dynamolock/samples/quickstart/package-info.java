/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** A first application: two locked methods. */
@NullMarked
package io.dynamolock.samples.quickstart;

import org.jspecify.annotations.NullMarked;
