/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Test support for applications: in-memory locks with a movable clock, a rival process and a recorder of acquired
 * locks.
 */
@NullMarked
package io.dynamolock.spring.test;

import org.jspecify.annotations.NullMarked;
