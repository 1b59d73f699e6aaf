/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Locks for operators, as an actuator endpoint.
 */
@NullMarked
package io.dynamolock.spring.endpoint;

import org.jspecify.annotations.NullMarked;
