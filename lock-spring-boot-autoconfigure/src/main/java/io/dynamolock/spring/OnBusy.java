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
    /**
     * Returns without running the method: null, an empty {@code Optional}, a future that is completed with null, or an empty
     * publisher.
     */
    SKIP,
    /** Throws {@link io.dynamolock.LockBusyException}. */
    THROW,
    /** Calls what {@link DistributedLock#fallback()} names. */
    FALLBACK
}
