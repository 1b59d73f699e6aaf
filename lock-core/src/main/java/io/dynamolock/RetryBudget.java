/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How often and for how long one request is sent again that fails; a busy lock is none of its business. Attempts are counted in
 * all. Pure. Not safe for use by several threads.
 */
final class RetryBudget {

    private static final Duration SHORTEST = Duration.ofMillis(1);

    private final RetryPolicy policy;
    private final long patienceNanos;
    private final @Nullable Long latestNanos;
    private int attempts;
    private boolean unanswered;
    private long startedNanos;

    /**
     * Creates a budget.
     *
     * @param policy says when to try again
     * @param patience all attempts together take no longer
     */
    RetryBudget(RetryPolicy policy, Duration patience) {
        this(policy, patience, null);
    }

    /**
     * Creates a budget that ends at a moment.
     *
     * @param policy says when to try again
     * @param patience all attempts at one request together take no longer
     * @param latestNanos no attempt at any request lasts beyond this moment
     */
    RetryBudget(RetryPolicy policy, Duration patience, @Nullable Long latestNanos) {
        this.policy = policy;
        this.patienceNanos = Durations.nanos(patience);
        this.latestNanos = latestNanos;
    }

    /** A request is about to be sent, for the first time or again. */
    void sending(long nowNanos) {
        if (attempts == 0) {
            startedNanos = nowNanos;
        }
    }

    /** How long the request that is about to be sent may take. */
    RequestTimeouts timeouts(Duration attempt, long nowNanos) {
        Duration left = Durations.max(Duration.ofNanos(leftNanos(nowNanos)), SHORTEST);
        return new RequestTimeouts(Durations.min(attempt, left), left);
    }

    private long leftNanos(long nowNanos) {
        long left = startedNanos + patienceNanos - nowNanos;
        return latestNanos == null ? left : Math.min(left, latestNanos - nowNanos);
    }

    /** It was answered: the next request has a budget of its own. */
    void answered() {
        attempts = 0;
    }

    /**
     * It failed.
     *
     * @param cut whether only because the thread was interrupted, which is no reason to wait or to give up
     * @return how long to wait before it is sent again; null to give up
     */
    @Nullable
    Duration failed(LockStoreException failure, long nowNanos, boolean cut) {
        attempts++;
        unanswered |= failure.isOutcomeUnknown();
        Duration delay = cut ? Duration.ZERO : policy.delayAfter(attempts, failure);
        boolean tooLate = delay != null && leftNanos(nowNanos) - Durations.nanos(delay) < leastNanos();
        return tooLate ? null : delay;
    }

    /** What an attempt must have to be worth it. */
    private long leastNanos() {
        return Math.max(1, Math.min(patienceNanos / 2, RequestTimeouts.LEAST.toNanos()));
    }

    /** Whether what failed last had been sent again before. */
    boolean triedAgain() {
        return attempts > 1;
    }

    /** Whether an attempt was made of which it is not known what became. */
    boolean anyUnanswered() {
        return unanswered;
    }
}
