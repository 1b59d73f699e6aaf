/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Micrometer observations of calls of locked methods.
 */
@NullMarked
package io.dynamolock.spring.observation;

import org.jspecify.annotations.NullMarked;
