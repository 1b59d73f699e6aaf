/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if the store rejected the request, failed or did not respond; never used for contention.
 *
 * <p>The message names the lock, the table and the reason; the cause is the store's own exception.
 *
 * @since 0.1
 */
public final class LockStoreException extends LockException {

    /** Whether the operation may have been applied. */
    private final boolean outcomeUnknown;

    /** Whether a retry makes sense. */
    private final boolean retryable;

    /** Whether the store itself rejected the request. */
    private final boolean answered;

    /**
     * Creates an exception for the failure of one request.
     *
     * @param lockName the lock name of the request
     * @param message the operation, the table and the reason
     * @param cause the store's own exception
     * @param outcomeUnknown whether the request may have been applied, or may still be
     * @param retryable whether the same request may succeed a moment later
     */
    public LockStoreException(
            String lockName, String message, @Nullable Throwable cause, boolean outcomeUnknown, boolean retryable) {
        this(lockName, message, cause, outcomeUnknown, retryable, false);
    }

    /**
     * Creates an exception for the failure of one request.
     *
     * @param lockName the lock name of the request
     * @param message the operation, the table and the reason
     * @param cause the store's own exception
     * @param outcomeUnknown whether the request may have been applied, or may still be
     * @param retryable whether the same request may succeed a moment later
     * @param answered whether the store itself rejected the request
     */
    public LockStoreException(
            String lockName,
            String message,
            @Nullable Throwable cause,
            boolean outcomeUnknown,
            boolean retryable,
            boolean answered) {
        super(lockName, message, cause);
        this.outcomeUnknown = outcomeUnknown;
        this.retryable = retryable;
        this.answered = answered;
    }

    /**
     * Returns whether the operation may have been applied although no response arrived. An acquire that ends this way
     * is undone in the background.
     *
     * @return true if the row may or may not have been written
     */
    public boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }

    /**
     * Returns whether a retry makes sense by the store's own rules: throttling, server errors, timeouts.
     *
     * @return false for a missing table, missing permissions, or a request that can never succeed
     */
    public boolean isRetryable() {
        return retryable;
    }

    /**
     * Returns whether the store itself rejected the request, by throttling or for another reason. Such a store is
     * not unreachable.
     *
     * @return false if no response arrived, or one that reports a failure of the store
     */
    public boolean isAnswered() {
        return answered;
    }

    /** Whether a request was sent, as far as this exception shows: it has no cause if all permits were in use. */
    boolean wasSent() {
        return outcomeUnknown || answered || getCause() != null;
    }

    /** Returns the same failure with the lock name as given by the caller. */
    LockStoreException withLockName(String name) {
        if (name.equals(lockName())) {
            return this;
        }
        return new LockStoreException(
                name, String.valueOf(getMessage()), getCause(), outcomeUnknown, retryable, answered);
    }

    /** Returns the same failure for an operation with an earlier attempt that got no response. */
    LockStoreException withUnknownOutcome() {
        if (outcomeUnknown) {
            return this;
        }
        String message = getMessage() + " (an earlier attempt got no response: the outcome is unknown)";
        return new LockStoreException(lockName(), message, getCause(), true, retryable, answered);
    }
}
