/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Processes with locks of ShedLock. */
@NullMarked
package io.dynamolock.samples.benchmarks.shedlock;

import org.jspecify.annotations.NullMarked;
