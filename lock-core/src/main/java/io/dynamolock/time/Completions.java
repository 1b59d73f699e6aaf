/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import io.dynamolock.time.Scheduler.Scheduled;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes callers' futures on an executor. A user's executor may run tasks on the calling thread, and a task that it
 * rejects also runs there. A thread that renewals depend on therefore hands the completion over to the callback
 * threads. They also run what the user's executor has accepted and not begun in time, because it may have dropped it.
 */
final class Completions {

    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

    private final Executor executor;
    private final boolean ownsExecutor;
    private final Predicate<Runnable> callbacks;
    private final Function<Runnable, Scheduled> later;

    /** What the user's executor has accepted and not begun. */
    private final Set<Completion> open = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /**
     * Creates the completions.
     *
     * @param userExecutor the user's executor; null for a pool of dedicated threads
     * @param callbacks runs an action on a callback thread; returns false if no thread accepts it
     * @param later schedules a check of a task that the user's executor has accepted, unless this is closed
     */
    Completions(
            @Nullable Executor userExecutor,
            ThreadFactory threads,
            Predicate<Runnable> callbacks,
            Function<Runnable, Scheduled> later) {
        this.executor = userExecutor == null ? newPool(threads) : userExecutor;
        this.ownsExecutor = userExecutor == null;
        this.callbacks = callbacks;
        this.later = later;
    }

    /**
     * Creates a pool with one thread per running continuation, so that none waits for another. It is never shut down,
     * as idle threads end by themselves.
     */
    private static Executor newPool(ThreadFactory threads) {
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 2, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
    }

    /** Runs an action exactly once, on whichever thread is available; throws nothing. */
    void run(Runnable action) {
        Completion completion = new Completion(action);
        if (!ManagerThread.isNeededForRenewals() || !handOver(completion)) {
            executeOrRun(completion);
        }
    }

    /** Runs what the user's executor has not begun, because nobody looks at it later. */
    void close() {
        closed = true;
        open.forEach(Completion::runElsewhere);
    }

    private boolean handOver(Completion completion) {
        return (ownsExecutor && tryExecute(completion)) || callbacks.test(() -> executeOrRun(completion));
    }

    private void executeOrRun(Completion completion) {
        if (!tryExecute(completion)) {
            completion.run();
        }
    }

    private boolean tryExecute(Completion completion) {
        try {
            executor.execute(completion);
        } catch (Throwable rejected) {
            LOG.debug("The executor for futures rejected a task", rejected);
            return false;
        }
        if (!ownsExecutor) {
            completion.awaitStart();
        }
        return true;
    }

    /** Runs an action at most once. */
    private final class Completion implements Runnable {

        private final Runnable action;
        private final AtomicBoolean started = new AtomicBoolean();
        private volatile Scheduled check = Scheduled.NONE;

        private Completion(Runnable action) {
            this.action = action;
        }

        @Override
        public void run() {
            if (started.compareAndSet(false, true)) {
                open.remove(this);
                check.cancel();
                action.run();
            }
        }

        private void awaitStart() {
            if (started.get()) {
                return;
            }
            open.add(this);
            check = later.apply(this::runElsewhere);
            if (closed) {
                runElsewhere();
            }
            if (started.get()) {
                open.remove(this);
                check.cancel();
            }
        }

        private void runElsewhere() {
            if (!callbacks.test(this)) {
                run();
            }
        }
    }
}
