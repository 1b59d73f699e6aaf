/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * Time and threads, without any knowledge of locks. Internal, and subject to change without notice, except for {@link
 * io.dynamolock.time.TestClock}, the clock of a test.
 */
@NullMarked
package io.dynamolock.time;

import org.jspecify.annotations.NullMarked;
