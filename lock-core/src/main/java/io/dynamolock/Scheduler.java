/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;

/** Where and when the engine's own work runs. The engine starts no thread by itself. */
interface Scheduler {

    /** What a request in the background is for, the most important first. */
    enum Rank {
        RELEASE(0),
        UNDO(1),
        LOOK(2);

        final int order;

        Rank(int order) {
            this.order = order;
        }
    }

    /** Something scheduled that may be called off. */
    interface Scheduled {

        /** Never runs it from now on, unless it is running already. */
        void cancel();
    }

    /** Calls quick code at a moment of the monotonic clock. */
    Scheduled schedule(long nanos, Runnable action);

    /** Runs a renewal of a lease whose last one succeeded; the most urgent first. */
    void renew(long deadlineNanos, Runnable action);

    /** The same for a retry, or whatever may hang like one: on so few threads that others are left for first tries. */
    void retryRenewal(long deadlineNanos, Runnable action);

    /** Runs a request in the background, the most important first. Returns false if no thread ever will. */
    boolean submit(Rank rank, Runnable action);

    /** Limits how many renewals, and how many requests in the background, run at once; what has begun goes on. */
    void limit(int concurrencyLimit);

    /** Runs callbacks and listeners. Returns false if no thread ever will. */
    boolean callBack(Runnable action);

    /**
     * Completes a future of a caller's, in any case. Its continuations may block, so this happens on no thread that renewals
     * need, unless all others have ended.
     */
    void complete(Runnable action);

    /** Whether the current thread is one of these, so that its pool bounds its requests. */
    boolean isOwnThread();

    /** A wait for the thread that asks. */
    Parker parker();

    /** A wait for a caller that goes on with an operation of this manager's after it, until it {@linkplain Parker#end() ends}. */
    default Parker callersParker() {
        return parker();
    }

    /** Stops accepting work, lets what runs come to its end, and returns when no thread is left or the time is over. */
    void close(Duration patience);
}
