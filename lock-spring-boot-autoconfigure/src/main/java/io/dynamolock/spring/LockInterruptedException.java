/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

/**
 * Thrown if a thread is interrupted while it waits for the lock of a method that does not declare
 * {@link InterruptedException}. The method did not run, no lock is held, and the thread's interrupt flag is set.
 *
 * @since 0.1
 */
public final class LockInterruptedException extends RuntimeException {

    private final String lockName;

    /**
     * Creates the exception.
     *
     * @param lockName the lock that was waited for
     * @param cause the interruption
     */
    public LockInterruptedException(String lockName, InterruptedException cause) {
        super("Interrupted while waiting for lock '" + lockName + "'", cause);
        this.lockName = lockName;
    }

    /**
     * Returns the lock that the thread waited for.
     *
     * @return the lock name
     */
    public String lockName() {
        return lockName;
    }
}
