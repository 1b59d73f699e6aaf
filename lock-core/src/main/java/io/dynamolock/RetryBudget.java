/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How often and for how long one failing request is sent again; a busy lock does not concern it. All attempts are
 * counted. Pure. Not safe for use by several threads.
 */
final class RetryBudget {

    private static final Duration MIN_TIMEOUT = Duration.ofMillis(1);

    private final RetryPolicy policy;
    private final long timeoutNanos;
    private final @Nullable Long deadlineNanos;
    private int attempts;
    private boolean unanswered;
    private long startedNanos;

    /**
     * Creates a budget.
     *
     * @param policy decides when to retry
     * @param timeout limit for all attempts together
     */
    RetryBudget(RetryPolicy policy, Duration timeout) {
        this(policy, timeout, null);
    }

    /**
     * Creates a budget that ends at a given moment.
     *
     * @param policy decides when to retry
     * @param timeout limit for all attempts at one request together
     * @param deadlineNanos no attempt at any request lasts beyond this moment
     */
    RetryBudget(RetryPolicy policy, Duration timeout, @Nullable Long deadlineNanos) {
        this.policy = policy;
        this.timeoutNanos = Durations.nanos(timeout);
        this.deadlineNanos = deadlineNanos;
    }

    /** Records that a request is about to be sent, for the first time or again. */
    void sending(long nowNanos) {
        if (attempts == 0) {
            startedNanos = nowNanos;
        }
    }

    /** Returns how long the request that is about to be sent may take. */
    RequestTimeouts timeouts(Duration attempt, long nowNanos) {
        Duration remaining = Durations.max(Duration.ofNanos(remainingNanos(nowNanos)), MIN_TIMEOUT);
        return new RequestTimeouts(Durations.min(attempt, remaining), remaining);
    }

    private long remainingNanos(long nowNanos) {
        long remaining = startedNanos + timeoutNanos - nowNanos;
        return deadlineNanos == null ? remaining : Math.min(remaining, deadlineNanos - nowNanos);
    }

    /** Records a response: the next request has a full budget. */
    void answered() {
        attempts = 0;
    }

    /**
     * Records a failure.
     *
     * @param interrupted whether the request failed only because the thread was interrupted, which is no reason to wait
     *     or to give up
     * @return how long to wait before it is sent again; null to give up
     */
    @Nullable
    Duration failed(LockStoreException failure, long nowNanos, boolean interrupted) {
        attempts++;
        unanswered |= failure.isOutcomeUnknown();
        Duration delay = interrupted ? Duration.ZERO : policy.delayAfter(attempts, failure);
        delay = delay == null ? null : Durations.max(delay, Duration.ZERO);
        boolean tooLate = delay != null && remainingNanos(nowNanos) - Durations.nanos(delay) < minUsefulNanos();
        return tooLate ? null : delay;
    }

    /** Returns the least time that makes an attempt worthwhile. */
    private long minUsefulNanos() {
        return Math.max(1, Math.min(timeoutNanos / 2, RequestTimeouts.MIN_USEFUL.toNanos()));
    }

    /** Whether the request that failed last had been retried. */
    boolean hasRetried() {
        return attempts > 1;
    }

    /** Whether the outcome of any attempt is unknown. */
    boolean anyUnanswered() {
        return unanswered;
    }
}
