/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * Thread pool for callbacks and listeners: a few threads, whose number doubles after each second in which tasks wait
 * and the threads complete fewer than one each, so that slow callbacks delay later notifications by seconds only. It is
 * as small as before once few threads are busy.
 */
final class CallbackPool extends ThreadPoolExecutor {

    private static final int CORE_THREADS = 4;
    private static final int MAX_THREADS = 1_000;

    private final Consumer<Runnable> delayed;
    private final AtomicBoolean checkScheduled = new AtomicBoolean();

    /**
     * Creates a pool.
     *
     * @param delayed runs a short task after about a second
     */
    CallbackPool(ThreadFactory factory, Consumer<Runnable> delayed) {
        super(CORE_THREADS, CORE_THREADS, 2, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        this.delayed = delayed;
        allowCoreThreadTimeOut(true);
    }

    @Override
    public void execute(Runnable action) {
        super.execute(action);
        scheduleCheck();
    }

    /**
     * Runs the callbacks that were still queued when the pool was shut down, on a few additional threads, because the
     * code that registered them relies on them.
     */
    void runRemaining(List<Runnable> remaining) {
        Queue<Runnable> queue = new ConcurrentLinkedQueue<>(remaining);
        for (int i = 0; i < Math.min(CORE_THREADS, remaining.size()); i++) {
            try {
                getThreadFactory().newThread(() -> drain(queue)).start();
            } catch (Throwable noThread) {
                if (i == 0) {
                    drain(queue);
                }
                return;
            }
        }
    }

    private static void drain(Queue<Runnable> queue) {
        for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
            next.run();
        }
    }

    private void scheduleCheck() {
        if ((!getQueue().isEmpty() || getMaximumPoolSize() > CORE_THREADS)
                && checkScheduled.compareAndSet(false, true)) {
            long completed = getCompletedTaskCount();
            try {
                delayed.accept(() -> resize(completed));
            } catch (Throwable noThread) {
                checkScheduled.set(false);
            }
        }
    }

    /**
     * Doubles the threads, but adds no more than there are queued tasks, if they complete fewer than one task each
     * meanwhile; goes back to a few when they have nothing to do.
     */
    private void resize(long completedBefore) {
        checkScheduled.set(false);
        int threads = getMaximumPoolSize();
        int queued = getQueue().size();
        try {
            if (queued > 0 && threads < MAX_THREADS && getCompletedTaskCount() - completedBefore < threads) {
                setMaximumPoolSize(Math.min(threads + Math.min(threads, queued), MAX_THREADS));
                setCorePoolSize(getMaximumPoolSize());
            } else if (queued == 0 && getActiveCount() < CORE_THREADS) {
                setCorePoolSize(CORE_THREADS);
                setMaximumPoolSize(CORE_THREADS);
            }
        } finally {
            scheduleCheck();
        }
    }
}
