/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Processes with locks of the lock client of awslabs. */
@NullMarked
package io.dynamolock.samples.benchmarks.awslabs;

import org.jspecify.annotations.NullMarked;
