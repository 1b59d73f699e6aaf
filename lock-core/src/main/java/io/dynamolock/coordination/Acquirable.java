/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockStoreException;
import java.time.Duration;
import java.util.Optional;

/**
 * A source of leases: a semaphore, or one side of a read-write lock.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public interface Acquirable {

    /**
     * Makes a single attempt, without waiting. Can be called on an interrupted thread and preserves its interrupt flag.
     *
     * @return the lease, or empty if nothing was free
     * @throws LeaseLostException if the manager was paused or cut off, so that one of several locks was lost while
     *     others were acquired; nothing stays acquired
     * @throws LockStoreException if the store failed; nothing stays acquired
     * @throws IllegalStateException if the manager is closed or drains, or if the number of permits does not fit
     */
    Optional<Lease> tryAcquire();

    /**
     * Acquires, and waits up to a time.
     *
     * @param waitTime zero for a single attempt; without an upper limit
     * @return the lease, or empty if nothing was free until the wait time had elapsed
     * @throws IllegalArgumentException if the wait time is negative
     * @throws InterruptedException if the thread is interrupted while it waits; nothing stays acquired
     * @throws LeaseLostException if the manager was paused or cut off, so that one of several locks was lost while
     *     others were acquired; nothing stays acquired
     * @throws LockStoreException if the store failed; nothing stays acquired
     * @throws IllegalStateException if the manager is closed or drains, or if the number of permits does not fit
     */
    Optional<Lease> tryAcquire(Duration waitTime) throws InterruptedException;

    /**
     * Acquires, and waits without a limit.
     *
     * @return the lease
     * @throws InterruptedException if the thread is interrupted while it waits; nothing stays acquired
     * @throws LeaseLostException if the manager was paused or cut off, so that one of several locks was lost while
     *     others were acquired; nothing stays acquired
     * @throws LockStoreException if the store failed; nothing stays acquired
     * @throws IllegalStateException if the manager is closed or drains, or if the number of permits does not fit
     */
    default Lease acquire() throws InterruptedException {
        while (true) {
            Optional<Lease> lease = tryAcquire(Attempts.FOREVER);
            if (lease.isPresent()) {
                return lease.get();
            }
        }
    }
}
