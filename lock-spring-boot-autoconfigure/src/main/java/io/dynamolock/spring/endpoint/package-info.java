/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Actuator endpoint that shows and releases locks.
 */
@NullMarked
package io.dynamolock.spring.endpoint;

import org.jspecify.annotations.NullMarked;
