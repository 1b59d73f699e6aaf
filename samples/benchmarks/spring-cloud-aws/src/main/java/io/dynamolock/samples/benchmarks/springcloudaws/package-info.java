/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Processes with locks of Spring Cloud AWS. */
@NullMarked
package io.dynamolock.samples.benchmarks.springcloudaws;

import org.jspecify.annotations.NullMarked;
