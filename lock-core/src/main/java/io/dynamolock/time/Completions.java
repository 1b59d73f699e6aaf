/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.util.concurrent.Executor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Completes callers' futures on an executor. A user's executor may run tasks on the calling thread, and a task that it
 * rejects also runs there. A thread that renewals depend on therefore hands the completion over to the callback
 * threads.
 */
final class Completions {

    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

    private final Executor executor;
    private final boolean ownsExecutor;
    private final Predicate<Runnable> callbacks;

    /**
     * Creates the completions.
     *
     * @param userExecutor the user's executor; null for a pool of dedicated threads
     * @param callbacks runs an action on a callback thread; returns false if no thread accepts it
     */
    Completions(@Nullable Executor userExecutor, ThreadFactory threads, Predicate<Runnable> callbacks) {
        this.executor = userExecutor == null ? newPool(threads) : userExecutor;
        this.ownsExecutor = userExecutor == null;
        this.callbacks = callbacks;
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
        AtomicBoolean started = new AtomicBoolean();
        Runnable completion = () -> {
            if (started.compareAndSet(false, true)) {
                action.run();
            }
        };
        if (!ManagerThread.isNeededForRenewals() || !handOver(completion)) {
            executeOrRun(completion);
        }
    }

    private boolean handOver(Runnable completion) {
        return (ownsExecutor && tryExecute(completion)) || callbacks.test(() -> executeOrRun(completion));
    }

    private void executeOrRun(Runnable completion) {
        if (!tryExecute(completion)) {
            completion.run();
        }
    }

    private boolean tryExecute(Runnable completion) {
        try {
            executor.execute(completion);
            return true;
        } catch (Throwable rejected) {
            LOG.debug("The executor for futures rejected a task", rejected);
            return false;
        }
    }
}
