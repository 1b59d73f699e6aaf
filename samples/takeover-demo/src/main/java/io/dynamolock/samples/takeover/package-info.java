/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * An application with two locked methods, in {@link io.dynamolock.samples.takeover.Jobs}.
 */
@NullMarked
package io.dynamolock.samples.takeover;

import org.jspecify.annotations.NullMarked;
