/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Whether locks work: the table, the heartbeat, the clock.
 */
@NullMarked
package io.dynamolock.spring.health;

import org.jspecify.annotations.NullMarked;
