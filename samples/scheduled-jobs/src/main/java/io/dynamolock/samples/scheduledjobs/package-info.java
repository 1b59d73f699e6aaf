/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** A scheduled job, of which one instance does each run. */
@NullMarked
package io.dynamolock.samples.scheduledjobs;

import org.jspecify.annotations.NullMarked;
