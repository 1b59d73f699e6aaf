/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import org.jspecify.annotations.Nullable;

/**
 * The base class of the exceptions that this library throws about one lock.
 *
 * @since 0.1
 */
public abstract sealed class LockException extends RuntimeException
        permits LockBusyException, LeaseLostException, LockStoreException {

    /** The lock name, as given by the caller. */
    private final String lockName;

    LockException(String lockName, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.lockName = lockName;
    }

    /**
     * Returns the name of the lock.
     *
     * @return the lock name, as given by the caller
     */
    public String lockName() {
        return lockName;
    }
}
