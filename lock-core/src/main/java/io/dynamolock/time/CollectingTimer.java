/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Timer with one thread, for tasks most of which are cancelled soon: few leases last until their first renewal. A task
 * enters the ordered queue only after some time, so one that is cancelled before neither orders the queue nor wakes the
 * thread.
 */
final class CollectingTimer extends ScheduledThreadPoolExecutor {

    /** How long tasks are collected. Those that are due in twice this time enter the queue at once. */
    private static final long COLLECTING_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final Queue<Task> collected = new ConcurrentLinkedQueue<>();
    private final LongSupplier nanoTime;
    private volatile boolean collecting;

    CollectingTimer(ThreadFactory threads, LongSupplier nanoTime) {
        super(1, threads);
        this.nanoTime = nanoTime;
        setKeepAliveTime(5, TimeUnit.SECONDS);
        allowCoreThreadTimeOut(true);
        setRemoveOnCancelPolicy(true);
    }

    /** Runs a task at a moment of the monotonic clock, unless the timer is shut down. */
    Scheduler.Scheduled at(long nanos, Runnable action) {
        Task task = new Task(nanos, action);
        try {
            if (nanos - nanoTime.getAsLong() < 2 * COLLECTING_NANOS) {
                task.enqueue();
            } else {
                collected.add(task);
                collect();
            }
        } catch (RejectedExecutionException shutDown) {
            task.cancel();
        }
        return task;
    }

    private void collect() {
        if (!collecting) {
            startCollecting();
        }
    }

    private synchronized void startCollecting() {
        if (!collecting) {
            Future<?> unused = schedule(this::enqueueCollected, COLLECTING_NANOS, TimeUnit.NANOSECONDS);
            collecting = true; // last: if the thread cannot be started, the next call tries again
        }
    }

    private synchronized void stopCollecting() {
        collecting = false;
    }

    private void enqueueCollected() {
        stopCollecting(); // first: a task that is added from now on starts the next collection
        Task task = collected.poll();
        while (task != null) {
            if (task.action != null) {
                task.enqueue();
            }
            task = collected.poll();
        }
    }

    private final class Task implements Runnable, Scheduler.Scheduled {

        private final long nanos;
        private volatile @Nullable Runnable action; // null once it is cancelled, so that it retains no lease
        private volatile @Nullable Future<?> queued;

        Task(long nanos, Runnable action) {
            this.nanos = nanos;
            this.action = action;
        }

        void enqueue() {
            queued = CollectingTimer.this.schedule(this, nanos - nanoTime.getAsLong(), TimeUnit.NANOSECONDS);
            if (action == null) {
                cancel();
            }
        }

        @Override
        public void run() {
            Runnable due = action;
            if (due != null) {
                due.run();
            }
        }

        @Override
        public void cancel() {
            action = null;
            Future<?> future = queued;
            if (future != null) {
                future.cancel(false);
            }
        }
    }
}
