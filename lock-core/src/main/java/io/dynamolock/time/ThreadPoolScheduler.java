/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import io.dynamolock.time.ManagerThread.Role;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One timer thread and three bounded pools: renewals in deadline order, background requests in order of importance, and
 * callbacks, so that none of these can delay another. Threads are daemons, start when there is work, and end soon
 * after; they inherit nothing from the thread that happens to start them.
 */
public final class ThreadPoolScheduler implements Scheduler {

    private static final Logger LOG = LoggerFactory.getLogger(ThreadPoolScheduler.class);

    /** A user's executor that has not begun a task by then may have dropped it. */
    private static final long DROPPED_CHECK_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Callbacks of which none completes in this time are stuck. */
    private static final long STUCK_CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Delay between attempts to start a thread. */
    private static final long START_RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final AtomicInteger MANAGERS = new AtomicInteger();

    private final int heartbeatThreads;
    private final int workerThreads;
    private volatile int limit;
    private final CollectingTimer timer;
    private final ThreadPoolExecutor renewals;
    private final RetryThrottle throttle;
    private final ThreadPoolExecutor workers;
    private final CallbackPool callbacks;
    private final Completions completions;
    private final ThreadStarter starter;

    /**
     * Creates pools without threads.
     *
     * @param heartbeatThreads the maximum number of concurrent renewals
     * @param workers the maximum number of concurrent background requests
     * @param nanoTime the monotonic clock
     * @param completions the executor that completes callers' futures; null for dedicated threads
     */
    public ThreadPoolScheduler(
            int heartbeatThreads, int workers, LongSupplier nanoTime, @Nullable Executor completions) {
        this(heartbeatThreads, workers, nanoTime, completions, thread -> {});
    }

    /**
     * Creates pools without threads, for a test.
     *
     * @param beforeThread accepts the name of each thread that is about to start, and throws if it cannot be started
     */
    ThreadPoolScheduler(
            int heartbeatThreads,
            int workers,
            LongSupplier nanoTime,
            @Nullable Executor completions,
            Consumer<String> beforeThread) {
        this.heartbeatThreads = heartbeatThreads;
        this.workerThreads = workers;
        String name = "dynamolock-" + MANAGERS.incrementAndGet();
        timer = new CollectingTimer(threads(name + "-timer", Role.TIMER, beforeThread), nanoTime);
        renewals = pool(
                heartbeatThreads,
                new PriorityBlockingQueue<>(),
                threads(name + "-heartbeat", Role.HEARTBEAT, beforeThread));
        throttle = new RetryThrottle(heartbeatThreads, this::submitRenewal, this::enqueueRenewal);
        this.workers =
                pool(workers, new PriorityBlockingQueue<>(), threads(name + "-worker", Role.WORKER, beforeThread));
        callbacks = new CallbackPool(
                threads(name + "-notify", Role.CALLBACK, beforeThread),
                check -> schedule(nanoTime.getAsLong() + STUCK_CHECK_NANOS, check));
        this.completions = new Completions(
                completions,
                threads(name + "-completion", Role.CALLBACK, beforeThread),
                this::callBack,
                check -> schedule(nanoTime.getAsLong() + DROPPED_CHECK_NANOS, check));
        starter = new ThreadStarter(
                List.of(renewals, this.workers, callbacks),
                start -> schedule(nanoTime.getAsLong() + START_RETRY_NANOS, start));
    }

    /** Sets how long idle threads are kept, for a test; the default is a few seconds. */
    void keepIdleThreads(Duration time) {
        for (ThreadPoolExecutor pool : List.of(timer, renewals, workers, callbacks)) {
            pool.setKeepAliveTime(time.toNanos(), TimeUnit.NANOSECONDS);
        }
    }

    private static ThreadPoolExecutor pool(int threads, BlockingQueue<Runnable> queue, ThreadFactory factory) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, 2, TimeUnit.SECONDS, queue, factory);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private ThreadFactory threads(String name, Role role, Consumer<String> beforeThread) {
        return ManagerThread.factory(name, this, role, beforeThread);
    }

    @Override
    public boolean isOwnThread() {
        return ManagerThread.isRequestThreadOf(this);
    }

    @Override
    public boolean hasThisThread() {
        return ownPool() != null;
    }

    @Override
    public Scheduled schedule(long nanos, Runnable action) {
        return timer.at(nanos, guarded(action));
    }

    @Override
    public void renew(long deadlineNanos, Runnable action) {
        throttle.submitFirst(deadlineNanos, guarded(action));
    }

    @Override
    public void retryRenewal(long deadlineNanos, Runnable action) {
        throttle.submitRetry(deadlineNanos, guarded(action));
    }

    private void submitRenewal(PrioritizedTask renewal) {
        if (!starter.submit(renewals, renewal) && !renewals.isShutdown()) {
            throw new IllegalStateException("No thread can be started for a renewal");
        }
    }

    private void enqueueRenewal(PrioritizedTask renewal) {
        starter.enqueue(renewals, renewal);
    }

    @Override
    public boolean submit(Rank rank, Runnable action) {
        return starter.submit(workers, new PrioritizedTask(rank.order(), guarded(action)));
    }

    @Override
    public void complete(Runnable action) {
        completions.run(guarded(action));
    }

    @Override
    public void limit(int concurrencyLimit) {
        if (concurrencyLimit != limit) { // called after each request, seldom with another value
            resize(concurrencyLimit);
        }
    }

    private synchronized void resize(int concurrencyLimit) {
        resize(renewals, Math.min(concurrencyLimit, heartbeatThreads));
        throttle.resize(Math.min(concurrencyLimit, heartbeatThreads));
        resize(workers, Math.min(concurrencyLimit, workerThreads));
        limit = concurrencyLimit; // last: if a thread cannot be started, the next call tries again
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
        return starter.submit(callbacks, guarded(action));
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
    public void close(Duration timeout) {
        long deadline = ThreadParker.nanoTime() + Durations.nanos(timeout);
        timer.shutdownNow();
        completions.close();
        throttle.close();
        renewals.getQueue().clear();
        for (ThreadPoolExecutor pool : new ThreadPoolExecutor[] {timer, renewals, workers, callbacks}) {
            pool.shutdown();
        }
        ThreadPoolExecutor own = ownPool(); // it would wait for this thread
        for (ThreadPoolExecutor pool : new ThreadPoolExecutor[] {timer, renewals, workers}) {
            if (pool != own) {
                await(pool, deadline);
            }
        }
        if (callbacks != own) {
            callbacks.runRemaining(await(callbacks, deadline));
        }
    }

    private @Nullable ThreadPoolExecutor ownPool() {
        Role role = ManagerThread.roleIn(this);
        return role == null
                ? null
                : switch (role) {
                    case TIMER -> timer;
                    case HEARTBEAT -> renewals;
                    case WORKER -> workers;
                    case CALLBACK -> callbacks;
                };
    }

    /** Returns the tasks that did not start in time. */
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
