/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Benchmarks of locks. */
package io.dynamolock.samples.benchmarks;
