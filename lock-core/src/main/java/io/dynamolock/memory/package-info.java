/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Lock store in the memory of one JVM, with the same conditions as a table: for tests. */
@NullMarked
package io.dynamolock.memory;

import org.jspecify.annotations.NullMarked;
