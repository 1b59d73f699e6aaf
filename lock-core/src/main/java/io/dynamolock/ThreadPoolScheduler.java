/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.ManagerThread.Role;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One timer thread and three bounded pools: renewals in deadline order, requests in the background in order of importance, and
 * callbacks, so that none of these can hold up another. Threads are daemons, start when there is work, and end soon after; they
 * inherit nothing from the thread that happens to start them.
 */
final class ThreadPoolScheduler implements Scheduler {

    private static final Logger LOG = LoggerFactory.getLogger(ThreadPoolScheduler.class);

    private static final int WORKERS = LockSettings.BACKGROUND_REQUESTS;

    /** Callbacks that end nothing for so long are stuck. */
    private static final long STUCK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** What is called off stays in the queue for a while: taking the first out would wake the timer for each short lease. */
    private static final int PURGE_AFTER = 10_000;

    /** From a thread that could not be started to the next try. */
    private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final AtomicInteger MANAGERS = new AtomicInteger();

    private final LongSupplier nanoTime;
    private final int heartbeatThreads;
    private volatile int limit;
    private final AtomicInteger cancelled = new AtomicInteger();
    private final ScheduledThreadPoolExecutor timer;
    private final ThreadPoolExecutor beats;
    private final RetryThrottle line;
    private final ThreadPoolExecutor workers;
    private final CallbackPool tellers;
    private final Completions completions;
    private final AtomicBoolean startingSoon = new AtomicBoolean();

    /**
     * Creates pools without threads.
     *
     * @param completions where callers' futures are completed; null for threads of their own
     */
    ThreadPoolScheduler(int heartbeatThreads, LongSupplier nanoTime, @Nullable Executor completions) {
        this(heartbeatThreads, nanoTime, completions, thread -> {});
    }

    /**
     * Creates pools without threads, for a test.
     *
     * @param beforeThread takes the name of each thread that is about to start, and throws if it cannot
     */
    ThreadPoolScheduler(
            int heartbeatThreads,
            LongSupplier nanoTime,
            @Nullable Executor completions,
            Consumer<String> beforeThread) {
        this.nanoTime = nanoTime;
        this.heartbeatThreads = heartbeatThreads;
        String name = "dynamolock-" + MANAGERS.incrementAndGet();
        timer = new ScheduledThreadPoolExecutor(1, threads(name + "-timer", Role.TIMER, beforeThread));
        timer.setKeepAliveTime(5, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        beats = pool(
                heartbeatThreads,
                new PriorityBlockingQueue<>(),
                threads(name + "-heartbeat", Role.HEARTBEAT, beforeThread));
        line = new RetryThrottle(heartbeatThreads, this::submitBeat, this::requeue);
        workers = pool(WORKERS, new PriorityBlockingQueue<>(), threads(name + "-worker", Role.WORKER, beforeThread));
        tellers = new CallbackPool(
                threads(name + "-notify", Role.CALLBACK, beforeThread),
                look -> schedule(nanoTime.getAsLong() + STUCK_NANOS, look));
        this.completions = new Completions(
                completions, threads(name + "-completion", Role.CALLBACK, beforeThread), this::callBack);
    }

    /** How long threads stay without work, for a test: a few seconds otherwise. */
    void keepIdleThreads(Duration time) {
        for (ThreadPoolExecutor pool : List.of(timer, beats, workers, tellers)) {
            pool.setKeepAliveTime(time.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private static ThreadPoolExecutor pool(
            int threads, java.util.concurrent.BlockingQueue<Runnable> queue, ThreadFactory factory) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, 2, TimeUnit.SECONDS, queue, factory);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private ThreadFactory threads(String name, Role role, Consumer<String> beforeThread) {
        return ManagerThread.factory(name, this, role, beforeThread);
    }

    @Override
    public boolean isOwnThread() {
        return ManagerThread.isSenderOf(this);
    }

    @Override
    public Scheduled schedule(long nanos, Runnable action) {
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
    public void renew(long deadlineNanos, Runnable action) {
        line.first(deadlineNanos, guarded(action));
    }

    @Override
    public void retryRenewal(long deadlineNanos, Runnable action) {
        line.retry(deadlineNanos, guarded(action));
    }

    private void submitBeat(PrioritizedTask beat) {
        if (!submit(beats, beat) && !beats.isShutdown()) {
            throw new IllegalStateException("No thread can be started for a renewal");
        }
    }

    @Override
    public boolean submit(Rank rank, Runnable action) {
        return submit(workers, new PrioritizedTask(rank.order, guarded(action)));
    }

    @Override
    public void complete(Runnable action) {
        completions.run(guarded(action));
    }

    @Override
    public void limit(int concurrencyLimit) {
        if (concurrencyLimit != limit) { // asked after each request, and seldom another
            resize(concurrencyLimit);
        }
    }

    private synchronized void resize(int concurrencyLimit) {
        resize(beats, Math.min(concurrencyLimit, heartbeatThreads));
        line.resize(Math.min(concurrencyLimit, heartbeatThreads));
        resize(workers, Math.min(concurrencyLimit, WORKERS));
        limit = concurrencyLimit; // last: without a thread for one of them, it is tried again
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
    public boolean callBack(Runnable action) {
        return submit(tellers, guarded(action));
    }

    /** Needs no thread of its own, as one is at work: it is not lost if none can be started. */
    private void requeue(PrioritizedTask beat) {
        beats.getQueue().add(beat);
        try {
            beats.prestartCoreThread();
        } catch (Throwable noThread) {
            LOG.debug("A renewal waits for a thread at work, as no other can be started", noThread);
        }
    }

    /** Returns false if the pool is closed, or if no thread can be started for it, now or later. */
    private boolean submit(ThreadPoolExecutor pool, Runnable action) {
        try {
            pool.execute(action);
            return true;
        } catch (RejectedExecutionException closed) {
            LOG.debug("Dropped work of a closed lock manager");
            return false;
        } catch (Throwable noThread) {
            LOG.warn("A lock manager could not start a thread, and tries again soon: {}", noThread.toString());
            return queue(pool, action);
        }
    }

    /** Leaves it to the threads that the pool has, or may have soon. */
    private boolean queue(ThreadPoolExecutor pool, Runnable action) {
        pool.remove(action); // the try that failed may have left it there
        pool.getQueue().add(action);
        try {
            startSoon();
        } catch (Throwable noTimer) {
            LOG.debug("No thread can be started, not even the timer", noTimer);
            return !pool.remove(action);
        }
        return !pool.isShutdown() || !pool.remove(action);
    }

    private void startSoon() {
        if (!startingSoon.compareAndSet(false, true)) {
            return;
        }
        try {
            schedule(nanoTime.getAsLong() + AGAIN_NANOS, this::startThreads);
        } catch (Throwable noTimer) {
            startingSoon.set(false);
            throw noTimer;
        }
    }

    /** Starts one thread where work is waiting; the others come with more work. */
    private void startThreads() {
        startingSoon.set(false);
        try {
            for (ThreadPoolExecutor pool : List.of(beats, workers, tellers)) {
                if (!pool.getQueue().isEmpty()) {
                    pool.prestartCoreThread();
                }
            }
        } catch (Throwable noThread) {
            startSoon();
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
    public Parker parker() {
        return new ThreadParker();
    }

    @Override
    public void close(Duration patience) {
        long deadline = ThreadParker.nanoTime() + Durations.nanos(patience);
        timer.shutdownNow();
        line.close();
        beats.getQueue().clear();
        for (ThreadPoolExecutor pool : new ThreadPoolExecutor[] {timer, beats, workers, tellers}) {
            pool.shutdown();
        }
        for (ThreadPoolExecutor pool : new ThreadPoolExecutor[] {timer, beats, workers}) {
            await(pool, deadline);
        }
        if (!ManagerThread.isOtherOf(this)) { // which would wait for itself
            tellers.finish(await(tellers, deadline));
        }
    }

    /** Returns what could not begin in time. */
    private static List<Runnable> await(ThreadPoolExecutor pool, long deadline) {
        boolean interrupted = Thread.interrupted();
        try {
            boolean ended = pool.awaitTermination(deadline - ThreadParker.nanoTime(), TimeUnit.NANOSECONDS);
            return ended ? List.of() : pool.shutdownNow();
        } catch (InterruptedException retryNow) {
            interrupted = true;
            return pool.shutdownNow();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
