/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

/**
 * What a locked method does when somebody else held the lock until the wait time was over.
 *
 * @since 0.1
 */
public enum OnBusy {
    /** Skips quietly on {@code @Scheduled} methods, and does what {@code dynamolock.annotation.on-busy} says elsewhere. */
    DEFAULT,
    /** Returns without running the method: null, or an empty {@code Optional}. */
    SKIP,
    /** Throws {@link io.dynamolock.LockBusyException}. */
    THROW
}
