/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * Keeps threads free for leases whose last renewal succeeded. Retries have the earliest ends and may hang once more, so at most
 * half of the threads run retries, and an eighth while a first try waits for a thread. Further retries are held back here, and
 * return to the pool in the order of their deadlines. Only a running retry holds back others, so its end lets them go on. Safe
 * for use by several threads.
 */
final class RetryThrottle {

    private static final int SHARE = 2;
    private static final int SHARE_WHILE_OTHERS_WAIT = 8;

    private final Consumer<PrioritizedTask> pool;
    private final Consumer<PrioritizedTask> requeue;
    private final PriorityQueue<PrioritizedTask> heldBack = new PriorityQueue<>();
    private int threads;
    private int firstsWaiting;
    private int retriesRunning;
    private boolean closed;

    /**
     * Creates a line without work.
     *
     * @param threads how many the pool has at most
     * @param pool runs a beat on one of its threads, in the order of deadlines
     * @param requeue the same while a thread of the pool is at work, so that none needs to be started
     */
    RetryThrottle(int threads, Consumer<PrioritizedTask> pool, Consumer<PrioritizedTask> requeue) {
        this.threads = threads;
        this.pool = pool;
        this.requeue = requeue;
    }

    /** Runs a beat after a renewal that succeeded. */
    void first(long deadlineNanos, Runnable action) {
        PrioritizedTask beat = new PrioritizedTask(deadlineNanos, () -> {
            firstLeaves();
            action.run();
        });
        firstComes();
        try {
            pool.accept(beat);
        } catch (Throwable noThread) {
            firstLeaves();
            throw noThread;
        }
    }

    private synchronized void firstComes() {
        firstsWaiting++;
    }

    /** What could not be submitted may have been queued all the same, and leaves twice. */
    private synchronized void firstLeaves() {
        firstsWaiting = Math.max(0, firstsWaiting - 1);
        letGoOn();
    }

    /** Runs a beat after a renewal that failed. */
    void retry(long deadlineNanos, Runnable action) {
        pool.accept(inItsTurn(new PrioritizedTask(deadlineNanos, action)));
    }

    private PrioritizedTask inItsTurn(PrioritizedTask retry) {
        return new PrioritizedTask(retry.deadlineNanos(), () -> {
            if (enters(retry)) {
                try {
                    retry.run();
                } finally {
                    exit();
                }
            }
        });
    }

    private synchronized boolean enters(PrioritizedTask retry) {
        boolean enters = retriesRunning < mostRetries();
        if (enters) {
            retriesRunning++;
        } else if (!closed) {
            heldBack.add(retry);
        }
        return enters;
    }

    private synchronized void exit() {
        retriesRunning--;
        letGoOn();
    }

    private int mostRetries() {
        return Math.max(1, threads / (firstsWaiting > 0 ? SHARE_WHILE_OTHERS_WAIT : SHARE));
    }

    /** Lets go on what has a thread now; what comes too late for it is held back once more. */
    private void letGoOn() {
        for (int free = mostRetries() - retriesRunning; free > 0 && !heldBack.isEmpty(); free--) {
            requeue.accept(inItsTurn(heldBack.element()));
            heldBack.remove();
        }
    }

    /** Follows the size of the pool. */
    synchronized void resize(int most) {
        threads = most;
        letGoOn();
    }

    /** Forgets what is held back, and holds back nothing any more. */
    synchronized void close() {
        closed = true;
        heldBack.clear();
    }
}
