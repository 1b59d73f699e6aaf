/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
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
    private final BeatLine line;
    private final ThreadPoolExecutor workers;
    private final CallbackPool tellers;
    private final Executor completions;

    /**
     * Creates pools without threads.
     *
     * @param completions where callers' futures are completed; null for threads of their own
     */
    ThreadTasks(int heartbeatThreads, LongSupplier nanoTime, @Nullable Executor completions) {
        this.nanoTime = nanoTime;
        this.heartbeatThreads = heartbeatThreads;
        String name = "dynamolock-" + MANAGERS.incrementAndGet();
        this.completions = completions == null ? completionPool(name) : completions;
        timer = new ScheduledThreadPoolExecutor(1, daemons(name + "-timer", false));
        timer.setKeepAliveTime(5, TimeUnit.SECONDS);
        timer.allowCoreThreadTimeOut(true);
        beats = pool(heartbeatThreads, new PriorityBlockingQueue<>(), daemons(name + "-heartbeat", true));
        line = new BeatLine(heartbeatThreads, beat -> submit(beats, beat), this::requeue);
        workers = pool(WORKERS, new PriorityBlockingQueue<>(), daemons(name + "-worker", true));
        tellers = new CallbackPool(
                daemons(name + "-notify", false), look -> at(nanoTime.getAsLong() + STUCK_NANOS, look));
    }

    private static ThreadPoolExecutor pool(
            int threads, java.util.concurrent.BlockingQueue<Runnable> queue, ThreadFactory factory) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, 2, TimeUnit.SECONDS, queue, factory);
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /** As many threads as there are continuations at work: none waits for another. Never closed, as its threads end by idling. */
    private Executor completionPool(String name) {
        return new ThreadPoolExecutor(
                0,
                Integer.MAX_VALUE,
                2,
                TimeUnit.SECONDS,
                new SynchronousQueue<>(),
                daemons(name + "-completion", false));
    }

    /** Makes threads that send requests, or that run other people's code. */
    private ThreadFactory daemons(String name, boolean send) {
        AtomicInteger count = new AtomicInteger();
        return action -> new Daemon(action, name + "-" + count.incrementAndGet(), this, send);
    }

    /** A thread of these. */
    private static final class Daemon extends Thread {

        private final ThreadTasks tasks;
        private final boolean sends;

        Daemon(Runnable action, String name, ThreadTasks tasks, boolean sends) {
            super(null, action, name, 0, false);
            this.tasks = tasks;
            this.sends = sends;
            setDaemon(true);
            setContextClassLoader(ThreadTasks.class.getClassLoader());
        }
    }

    @Override
    public boolean isOwnThread() {
        return Thread.currentThread() instanceof Daemon own && own.tasks == this && own.sends;
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
        line.first(deadlineNanos, guarded(action));
    }

    @Override
    public void beatAgain(long deadlineNanos, Runnable action) {
        line.retry(deadlineNanos, guarded(action));
    }

    @Override
    public boolean work(Rank rank, Runnable action) {
        return submit(workers, new Urgent(rank.order, guarded(action)));
    }

    @Override
    public void complete(Runnable action) {
        AtomicBoolean begun = new AtomicBoolean();
        Runnable guarded = guarded(() -> {
            if (begun.compareAndSet(false, true)) {
                action.run();
            }
        });
        try {
            completions.execute(guarded);
        } catch (Throwable refused) {
            LOG.debug("A future is completed on the thread at hand, as its executor takes no work", refused);
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
        line.resize(Math.min(atOnce, heartbeatThreads));
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

    /** Needs no thread of its own, as one is at work: it is not lost if none can be started. */
    private void requeue(Urgent beat) {
        beats.getQueue().add(beat);
        try {
            beats.prestartCoreThread();
        } catch (Throwable noThread) {
            LOG.debug("A renewal waits for a thread at work, as no other can be started", noThread);
        }
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
        line.close();
        beats.getQueue().clear();
        for (ThreadPoolExecutor pool : new ThreadPoolExecutor[] {timer, beats, workers, tellers}) {
            pool.shutdown();
        }
        for (ThreadPoolExecutor pool : new ThreadPoolExecutor[] {timer, beats, workers}) {
            await(pool, deadline);
        }
        if (!isCallback()) { // which would wait for itself
            tellers.finish(await(tellers, deadline));
        }
    }

    private boolean isCallback() {
        return Thread.currentThread() instanceof Daemon own && own.tasks == this && !own.sends;
    }

    /** Returns what could not begin in time. */
    private static List<Runnable> await(ThreadPoolExecutor pool, long deadline) {
        boolean interrupted = Thread.interrupted();
        try {
            boolean ended = pool.awaitTermination(deadline - ThreadPause.nanoTime(), TimeUnit.NANOSECONDS);
            return ended ? List.of() : pool.shutdownNow();
        } catch (InterruptedException hurry) {
            interrupted = true;
            return pool.shutdownNow();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
