/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What the processes under test share: {@link io.dynamolock.samples.benchmarks.worker.Worker} runs one scenario with the locks of
 * one library and prints its figures in one line.
 */
@NullMarked
package io.dynamolock.samples.benchmarks.worker;

import org.jspecify.annotations.NullMarked;
