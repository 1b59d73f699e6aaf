/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Measurements of what a lock costs. */
package io.dynamolock.samples.benchmarks;
