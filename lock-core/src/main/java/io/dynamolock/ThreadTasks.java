/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One timer thread and three bounded pools: renewals in deadline order, requests in the background in order of importance, and
 * callbacks, so that none of these can hold up another. Threads are daemons, start when there is work, and end soon after; they
 * inherit nothing from the thread that happens to start them.
 */
final class ThreadTasks implements Tasks {

    private static final Logger LOG = LoggerFactory.getLogger(ThreadTasks.class);

    private static final int WORKERS = LockSettings.BACKGROUND_REQUESTS;

    /** Callbacks that end nothing for so long are stuck. */
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What is called off stays in the queue for a while: taking the first out would wake the timer for each short lease. */
    private static final int PURGE_AFTER = 10_000;

    private static final AtomicInteger MANAGERS = new AtomicInteger();

    private final LongSupplier nanoTime;
    private final int heartbeatThreads;
    private volatile int limit;
    private final AtomicInteger cancelled = new AtomicInteger();
    private final ScheduledThreadPoolExecutor timer;
    private final ThreadPoolExecutor beats;
    private final ThreadPoolExecutor workers;
    private final ThreadPoolExecutor tellers;
    private final Executor completions;

    /**
     * Creates pools without threads.
     *
     * @param completions where callers' futures are completed
     */
    ThreadTasks(int heartbeatThreads, LongSupplier nanoTime, Executor completions) {
        this.nanoTime = nanoTime;
        this.completions = completions;
        this.heartbeatThreads = heartbeatThreads;
        String name = "dynamolock-" + MANAGERS.incrementAndGet();
        timer = new ScheduledThreadPoolExecutor(1, daemons(name + "-timer", null));
        timer.setKeepAliveTime(5, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        beats = pool(heartbeatThreads, new PriorityBlockingQueue<>(), daemons(name + "-heartbeat", this));
        workers = pool(WORKERS, new PriorityBlockingQueue<>(), daemons(name + "-worker", this));
        tellers =
                new CallbackPool(daemons(name + "-notify", null), look -> at(nanoTime.getAsLong() + STUCK_NANOS, look));
    }

    private static ThreadPoolExecutor pool(
            int threads, java.util.concurrent.BlockingQueue<Runnable> queue, ThreadFactory factory) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, 2, TimeUnit.SECONDS, queue, factory);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory daemons(String name, @Nullable ThreadTasks sender) {
        AtomicInteger count = new AtomicInteger();
        return action -> new Daemon(action, name + "-" + count.incrementAndGet(), sender);
    }

    /** A thread of these. */
    private static final class Daemon extends Thread {

        /** Whose requests it sends; null if it is not there to send any. */
        private final @Nullable ThreadTasks sender;

        Daemon(Runnable action, String name, @Nullable ThreadTasks sender) {
            super(null, action, name, 0, false);
            this.sender = sender;
            setDaemon(true);
            setContextClassLoader(ThreadTasks.class.getClassLoader());
        }
    }

    @Override
    public boolean isOwnThread() {
        return Thread.currentThread() instanceof Daemon own && own.sender == this;
    }

    @Override
    public Scheduled at(long nanos, Runnable action) {
        try {
            ScheduledFuture<?> future =
                    timer.schedule(guarded(action), nanos - nanoTime.getAsLong(), TimeUnit.NANOSECONDS);
            return () -> {
                if (future.cancel(false) && cancelled.incrementAndGet() % PURGE_AFTER == 0) {
                    timer.purge();
                }
            };
        } catch (RejectedExecutionException closed) {
            return () -> {};
        }
    }

    @Override
    public void beat(long deadlineNanos, Runnable action) {
        submit(beats, new Urgent(deadlineNanos, Urgent.COUNT.incrementAndGet(), guarded(action)));
    }

    @Override
    public boolean work(Rank rank, Runnable action) {
        return submit(workers, new Urgent(rank.order, Urgent.COUNT.incrementAndGet(), guarded(action)));
    }

    @Override
    public void complete(Runnable action) {
        Runnable guarded = guarded(action);
        try {
            completions.execute(guarded);
        } catch (RejectedExecutionException closed) {
            guarded.run();
        }
    }

    @Override
    public void limit(int atOnce) {
        if (atOnce != limit) { // asked after each request, and seldom another
            resize(atOnce);
        }
    }

    private synchronized void resize(int atOnce) {
        limit = atOnce;
        resize(beats, Math.min(atOnce, heartbeatThreads));
        resize(workers, Math.min(atOnce, WORKERS));
    }

    private static void resize(ThreadPoolExecutor pool, int threads) {
        if (threads > pool.getMaximumPoolSize()) {
            pool.setMaximumPoolSize(threads);
            pool.setCorePoolSize(threads);
        } else if (threads < pool.getMaximumPoolSize()) {
            pool.setCorePoolSize(threads);
            pool.setMaximumPoolSize(threads);
        }
    }

    @Override
    public boolean tell(Runnable action) {
        return submit(tellers, guarded(action));
    }

    private static boolean submit(ThreadPoolExecutor pool, Runnable action) {
        try {
            pool.execute(action);
            return true;
        } catch (RejectedExecutionException closed) {
            LOG.debug("Dropped work of a closed lock manager");
            return false;
        }
    }

    private static Runnable guarded(Runnable action) {
        return () -> {
            try {
                action.run();
            } catch (Throwable unexpected) {
                LOG.warn("Unexpected failure in a lock manager's background work", unexpected);
            }
        };
    }

    @Override
    public Pause pause() {
        return new ThreadPause();
    }

    @Override
    public void close(Duration patience) {
        long deadline = ThreadPause.nanoTime() + Durations.nanos(patience);
        timer.shutdownNow();
        beats.getQueue().clear();
        for (ThreadPoolExecutor pool : new ThreadPoolExecutor[] {timer, beats, workers, tellers}) {
            pool.shutdown();
        }
        for (ThreadPoolExecutor pool : new ThreadPoolExecutor[] {timer, beats, workers, tellers}) {
            await(pool, deadline);
        }
    }

    private static void await(ThreadPoolExecutor pool, long deadline) {
        boolean interrupted = Thread.interrupted();
        try {
            if (!pool.awaitTermination(deadline - ThreadPause.nanoTime(), TimeUnit.NANOSECONDS)) {
                pool.shutdownNow();
            }
        } catch (InterruptedException hurry) {
            interrupted = true;
            pool.shutdownNow();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Earlier deadlines, or lower ranks, first; then first come, first served. */
    private record Urgent(long deadlineNanos, long number, Runnable action) implements Runnable, Comparable<Urgent> {

        static final AtomicLong COUNT = new AtomicLong();

        @Override
        public int compareTo(Urgent other) {
            int byDeadline = Long.signum(deadlineNanos - other.deadlineNanos);
            return byDeadline != 0 ? byDeadline : Long.compare(number, other.number);
        }

        @Override
        public void run() {
            action.run();
        }
    }
}
