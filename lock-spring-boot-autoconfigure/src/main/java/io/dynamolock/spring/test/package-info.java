/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/** Locks in tests of applications: in memory, with a clock to move, a rival, and which locks were taken. */
@NullMarked
package io.dynamolock.spring.test;

import org.jspecify.annotations.NullMarked;
