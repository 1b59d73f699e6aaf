/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** The command that measures libraries for locks in turns, and writes a report: start reading at {@code Benchmarks}. */
@NullMarked
package io.dynamolock.samples.benchmarks.report;

import org.jspecify.annotations.NullMarked;
