/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */

/**
 * What is built on locks: several locks with different options, semaphores, read-write locks, the election of a leader,
 * a switch for all processes, and work that runs once. Each consists of plain locks and uses only the public API of
 * {@link io.dynamolock.LockManager}, so every guarantee of a lock holds for it, and its rows look like those of locks.
 */
@NullMarked
package io.dynamolock.coordination;

import org.jspecify.annotations.NullMarked;
