/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Calls of locked methods, as Micrometer observations.
 */
@NullMarked
package io.dynamolock.spring.observation;

import org.jspecify.annotations.NullMarked;
