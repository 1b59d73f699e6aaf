/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Micrometer meters of locks.
 */
@NullMarked
package io.dynamolock.spring.metrics;

import org.jspecify.annotations.NullMarked;
