/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Submits tasks to pools. Keeps a task for which no thread can be started, and retries the start until one succeeds.
 */
final class ThreadStarter {

    private static final Logger LOG = LoggerFactory.getLogger(ThreadStarter.class);

    private final List<ThreadPoolExecutor> pools;
    private final Consumer<Runnable> retryLater;
    private final AtomicBoolean retryScheduled = new AtomicBoolean();

    /**
     * Creates a starter.
     *
     * @param pools the pools whose threads it starts
     * @param retryLater schedules the next attempt
     */
    ThreadStarter(List<ThreadPoolExecutor> pools, Consumer<Runnable> retryLater) {
        this.pools = pools;
        this.retryLater = retryLater;
    }

    /** Returns false if the pool is closed, or if no thread can be started for it, now or later. */
    boolean submit(ThreadPoolExecutor pool, Runnable task) {
        try {
            pool.execute(task);
            return true;
        } catch (RejectedExecutionException closed) {
            LOG.debug("Dropped a task of a closed lock manager");
            return false;
        } catch (Throwable noThread) {
            LOG.warn("A lock manager could not start a thread and will try again soon: {}", noThread.toString());
            return keep(pool, task);
        }
    }

    /** Queues a task on a thread of the pool: the task is not lost if no other thread can be started. */
    void enqueue(ThreadPoolExecutor pool, Runnable task) {
        pool.getQueue().add(task);
        try {
            pool.prestartCoreThread();
        } catch (Throwable noThread) {
            LOG.debug("A task waits for a busy thread, as no other thread can be started", noThread);
        }
    }

    /** Queues the task for the threads that the pool has, or may have soon. */
    private boolean keep(ThreadPoolExecutor pool, Runnable task) {
        pool.remove(task); // the attempt that failed may have left it there
        pool.getQueue().add(task);
        try {
            scheduleRetry();
        } catch (Throwable noTimer) {
            LOG.debug("No thread can be started, not even the timer", noTimer);
            return !pool.remove(task);
        }
        return !pool.isShutdown() || !pool.remove(task);
    }

    private void scheduleRetry() {
        if (!retryScheduled.compareAndSet(false, true)) {
            return;
        }
        try {
            retryLater.accept(this::startThreads);
        } catch (Throwable noTimer) {
            retryScheduled.set(false);
            throw noTimer;
        }
    }

    /** Starts one thread for each pool with waiting work; the others start with more work. */
    private void startThreads() {
        retryScheduled.set(false);
        try {
            for (ThreadPoolExecutor pool : pools) {
                if (!pool.getQueue().isEmpty()) {
                    pool.prestartCoreThread();
                }
            }
        } catch (Throwable noThread) {
            scheduleRetry();
        }
    }
}
