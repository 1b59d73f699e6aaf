/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.time.Duration;

/** Runs the engine's own work. The engine starts no threads itself. */
public interface Scheduler {

    /** Purpose of a background request, the most important first. */
    enum Rank {
        RELEASE(0),
        UNDO(1),
        ACQUIRE(2);

        private final int order;

        Rank(int order) {
            this.order = order;
        }

        /** Returns the position of this purpose in a queue. */
        public int order() {
            return order;
        }
    }

    /** A scheduled task that can be cancelled. */
    interface Scheduled {

        /** No task. */
        Scheduled NONE = () -> {};

        /** Prevents the task from running, unless it is running already. */
        void cancel();
    }

    /** Runs a short task at a moment of the monotonic clock. */
    Scheduled schedule(long nanos, Runnable action);

    /** Runs a renewal of a lease whose last renewal succeeded; the earliest deadline first. */
    void renew(long deadlineNanos, Runnable action);

    /**
     * Like {@link #renew}, but for a retry, or for any request that may hang like one: limited to a share of the
     * threads, so that others remain for first attempts.
     */
    void retryRenewal(long deadlineNanos, Runnable action);

    /** Runs a background request, the most important first. Returns false if no thread will ever run it. */
    boolean submit(Rank rank, Runnable action);

    /** Limits how many renewals, and how many background requests, run concurrently; running ones continue. */
    void limit(int concurrencyLimit);

    /** Runs callbacks and listeners. Returns false if no thread will ever run the action. */
    boolean callBack(Runnable action);

    /**
     * Completes a caller's future, in any case. Its continuations may block, so this happens on no thread that renewals
     * depend on, unless all other threads have ended.
     */
    void complete(Runnable action);

    /** Whether the current thread is one of this scheduler's request threads, so that its pool bounds its requests. */
    boolean isOwnThread();

    /** Whether the current thread is one of this scheduler's, whose end a {@link #close} by another thread awaits. */
    default boolean hasThisThread() {
        return isOwnThread();
    }

    /** Returns a parker for the calling thread. */
    Parker parker();

    /**
     * Returns a parker for a caller that continues an operation of this manager after the wait, until the parker
     * {@linkplain Parker#end() ends}.
     */
    default Parker callersParker() {
        return parker();
    }

    /** Stops accepting work, lets running work finish, and returns when no thread is left or the timeout has passed. */
    void close(Duration timeout);
}
