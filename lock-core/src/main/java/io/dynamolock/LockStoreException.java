/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import org.jspecify.annotations.Nullable;

/**
 * Says that the store refused, failed or did not answer; it is never used for contention.
 *
 * <p>The message names the lock, the table and what went wrong; the store's own exception is the cause.
 *
 * @since 0.1
 */
public final class LockStoreException extends LockException {

    /** Whether the operation may have been applied. */
    private final boolean outcomeUnknown;

    /** Whether trying again makes sense. */
    private final boolean retryable;

    /** Whether the store itself turned the request away. */
    private final boolean answered;

    /**
     * Creates the failure of one request.
     *
     * @param lockName the lock that the request was about
     * @param message what was tried, where, and what went wrong
     * @param cause the store's own exception
     * @param outcomeUnknown whether the request may have been applied, or may still be
     * @param retryable whether the same request may succeed a moment later
     */
    public LockStoreException(
            String lockName, String message, @Nullable Throwable cause, boolean outcomeUnknown, boolean retryable) {
        this(lockName, message, cause, outcomeUnknown, retryable, false);
    }

    /**
     * Creates the failure of one request.
     *
     * @param lockName the lock that the request was about
     * @param message what was tried, where, and what went wrong
     * @param cause the store's own exception
     * @param outcomeUnknown whether the request may have been applied, or may still be
     * @param retryable whether the same request may succeed a moment later
     * @param answered whether the store itself turned the request away
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
     * Tells whether the operation may have been applied although no answer came. An acquire that ends so is undone in the
     * background.
     *
     * @return true if the row may or may not have been written
     */
    public boolean isOutcomeUnknown() {
        return outcomeUnknown;
    }

    /**
     * Tells whether the store's own rules say that trying again makes sense: throttling, server errors, timeouts.
     *
     * @return false for a missing table, missing rights, or a request that can never be right
     */
    public boolean isRetryable() {
        return retryable;
    }

    /**
     * Tells whether the store itself turned the request away: it throttled, or refused it for good. Such a store is not
     * unreachable.
     *
     * @return false if no answer came, or one that says that the store is in trouble
     */
    public boolean isAnswered() {
        return answered;
    }

    /** Gives the same failure by the name that the caller gave the lock. */
    LockStoreException withLockName(String name) {
        if (name.equals(lockName())) {
            return this;
        }
        return new LockStoreException(
                name, String.valueOf(getMessage()), getCause(), outcomeUnknown, retryable, answered);
    }

    /** Gives the same failure for an operation of which an earlier attempt went unanswered. */
    LockStoreException withUnknownOutcome() {
        if (outcomeUnknown) {
            return this;
        }
        String message = getMessage() + " (an earlier attempt went unanswered: the outcome is unknown)";
        return new LockStoreException(lockName(), message, getCause(), true, retryable, answered);
    }
}
