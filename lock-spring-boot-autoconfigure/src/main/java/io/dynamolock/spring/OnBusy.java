/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

/**
 * Action of a locked method whose lock is still busy at the end of the wait time, or whose lock manager
 * {@linkplain io.dynamolock.LockManager#startDraining() drains}.
 *
 * @since 0.1
 */
public enum OnBusy {
    /** {@link #SKIP} on {@code @Scheduled} methods, otherwise the value of {@code dynamolock.annotation.on-busy}. */
    DEFAULT,
    /**
     * Returns without running the method. The result is null, an empty {@code Optional}, a future completed with null,
     * or an empty publisher.
     */
    SKIP,
    /** Throws {@link io.dynamolock.LockBusyException} or {@link io.dynamolock.LockManagerDrainingException}. */
    THROW,
    /**
     * Calls the method that {@link DistributedLock#fallback()} names. While the manager drains, one that takes the
     * holder is not called, and the exception is thrown.
     */
    FALLBACK
}
