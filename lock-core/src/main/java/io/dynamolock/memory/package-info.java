/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Locks in this JVM alone, under the same conditions as in a table: for tests. */
@NullMarked
package io.dynamolock.memory;

import org.jspecify.annotations.NullMarked;
