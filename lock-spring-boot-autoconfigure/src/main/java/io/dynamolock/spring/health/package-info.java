/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Health of locks: the table, the heartbeat and the clock.
 */
@NullMarked
package io.dynamolock.spring.health;

import org.jspecify.annotations.NullMarked;
