/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Keeps threads free for leases whose last renewal succeeded. Retries have the earliest ends and may hang again, so
 * they use at most half of the threads, and an eighth while a first attempt waits for a thread. Further retries are
 * held back here, and return to the pool in the order of their deadlines. Only running retries hold back others, so the
 * end of one lets the next ones continue. Safe for use by several threads.
 */
public final class RetryThrottle {

    private static final int RETRY_SHARE = 2;
    private static final int RETRY_SHARE_WHILE_FIRST_ATTEMPTS_WAIT = 8;

    private final Consumer<PrioritizedTask> pool;
    private final Consumer<PrioritizedTask> requeue;
    private final PriorityQueue<PrioritizedTask> deferred = new PriorityQueue<>();
    private int threads;
    private int waitingFirstAttempts;
    private int retriesRunning;
    private boolean closed;

    /**
     * Creates a throttle without work.
     *
     * @param threads the maximum number of threads in the pool
     * @param pool runs a renewal on one of its threads, in the order of deadlines
     * @param requeue does the same while a thread of the pool is at work, so that no thread needs to be started
     */
    public RetryThrottle(int threads, Consumer<PrioritizedTask> pool, Consumer<PrioritizedTask> requeue) {
        this.threads = threads;
        this.pool = pool;
        this.requeue = requeue;
    }

    /** Runs a renewal of a lease whose last renewal succeeded. */
    public void submitFirst(long deadlineNanos, Runnable action) {
        PrioritizedTask renewal = new PrioritizedTask(deadlineNanos, () -> {
            firstDequeued();
            action.run();
        });
        firstQueued();
        try {
            pool.accept(renewal);
        } catch (Throwable noThread) {
            firstDequeued();
            throw noThread;
        }
    }

    private synchronized void firstQueued() {
        waitingFirstAttempts++;
    }

    /**
     * Counts a first attempt out. One that could not be submitted may have been queued nevertheless, and is counted out
     * twice.
     */
    private synchronized void firstDequeued() {
        waitingFirstAttempts = Math.max(0, waitingFirstAttempts - 1);
        releaseDeferred();
    }

    /** Runs a renewal of a lease whose last renewal failed. */
    public void submitRetry(long deadlineNanos, Runnable action) {
        pool.accept(throttled(new PrioritizedTask(deadlineNanos, action)));
    }

    private PrioritizedTask throttled(PrioritizedTask retry) {
        return new PrioritizedTask(retry.deadlineNanos(), () -> {
            if (tryStart(retry)) {
                try {
                    retry.run();
                } finally {
                    finished();
                }
            }
        });
    }

    private synchronized boolean tryStart(PrioritizedTask retry) {
        boolean starts = retriesRunning < maxRetries();
        if (starts) {
            retriesRunning++;
        } else if (!closed) {
            deferred.add(retry);
        }
        return starts;
    }

    private synchronized void finished() {
        retriesRunning--;
        releaseDeferred();
    }

    private int maxRetries() {
        return Math.max(1, threads / (waitingFirstAttempts > 0 ? RETRY_SHARE_WHILE_FIRST_ATTEMPTS_WAIT : RETRY_SHARE));
    }

    /**
     * Returns retries to the pool that may run now; a retry that finds no free share when it starts is held back again.
     */
    private void releaseDeferred() {
        for (int free = maxRetries() - retriesRunning; free > 0 && !deferred.isEmpty(); free--) {
            requeue.accept(throttled(deferred.element()));
            deferred.remove();
        }
    }

    /** Adjusts to the size of the pool. */
    public synchronized void resize(int maxThreads) {
        threads = maxThreads;
        releaseDeferred();
    }

    /** Drops the retries that are held back, and holds back no more. */
    public synchronized void close() {
        closed = true;
        deferred.clear();
    }
}
