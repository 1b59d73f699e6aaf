/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Processes with locks of this library. */
@NullMarked
package io.dynamolock.samples.benchmarks.dynamolock;

import org.jspecify.annotations.NullMarked;
