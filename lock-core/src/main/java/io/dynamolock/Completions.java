/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

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
 * Completes callers' futures on an executor. One that a user has given may run what it gets on the thread at hand, and what it
 * refuses runs there, too: a thread that renewals need hands over to the threads for callbacks.
 */
final class Completions {

    private static final Logger LOG = LoggerFactory.getLogger(Completions.class);

    private final Executor executor;
    private final boolean runsElsewhere;
    private final Predicate<Runnable> callbacks;

    /**
     * Completes futures on an executor.
     *
     * @param given by the user; null for threads of their own
     * @param callbacks runs an action on a thread for callbacks; false if none takes it
     */
    Completions(@Nullable Executor given, ThreadFactory threads, Predicate<Runnable> callbacks) {
        this.executor = given == null ? pool(threads) : given;
        this.runsElsewhere = given == null;
        this.callbacks = callbacks;
    }

    /** As many threads as there are continuations at work: none waits for another. Never closed, as its threads end by idling. */
    private static Executor pool(ThreadFactory threads) {
        return new ThreadPoolExecutor(0, Integer.MAX_VALUE, 2, TimeUnit.SECONDS, new SynchronousQueue<>(), threads);
    }

    /** Runs it once, wherever; it throws nothing. */
    void run(Runnable action) {
        AtomicBoolean begun = new AtomicBoolean();
        Runnable completion = () -> {
            if (begun.compareAndSet(false, true)) {
                action.run();
            }
        };
        if (!ManagerThread.isNeededForRenewals() || !isHandedOver(completion)) {
            runHere(completion);
        }
    }

    private boolean isHandedOver(Runnable completion) {
        return (runsElsewhere && isExecuted(completion)) || callbacks.test(() -> runHere(completion));
    }

    private void runHere(Runnable completion) {
        if (!isExecuted(completion)) {
            completion.run();
        }
    }

    private boolean isExecuted(Runnable completion) {
        try {
            executor.execute(completion);
            return true;
        } catch (Throwable refused) {
            LOG.debug("The executor of a future takes no work", refused);
            return false;
        }
    }
}
