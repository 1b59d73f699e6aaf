/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shuts down an application that must not continue after a loss: once, on a dedicated thread, since the shutdown closes
 * the manager.
 */
final class ShutdownOnLoss {

    private static final Logger LOG = LoggerFactory.getLogger(ShutdownOnLoss.class);

    private final Consumer<LeaseLost> action;
    private final Executor thread;
    private final AtomicBoolean started = new AtomicBoolean();

    ShutdownOnLoss(Consumer<LeaseLost> action) {
        this(action, task -> new Thread(task, "dynamolock-shutdown").start());
    }

    ShutdownOnLoss(Consumer<LeaseLost> action, Executor thread) {
        this.action = action;
        this.thread = thread;
    }

    /**
     * Shuts the application down in the background. Returns false if no thread can be started for it; then the caller
     * must {@linkplain #shutDownOnThisThread do it on its own thread}.
     */
    boolean shutDown(LeaseLost loss) {
        if (!started.compareAndSet(false, true)) {
            return true;
        }
        try {
            thread.execute(() -> run(loss));
            return true;
        } catch (Throwable noThread) {
            started.set(false);
            LOG.warn(
                    "No thread can be started to shut down the application after the loss of lock '{}'",
                    loss.name(),
                    noThread);
            return false;
        }
    }

    /** Shuts the application down on the calling thread, unless another loss has done so. */
    void shutDownOnThisThread(LeaseLost loss) {
        if (started.compareAndSet(false, true)) {
            run(loss);
        }
    }

    /** Runs the shutdown; if it fails, the next loss tries again. */
    private void run(LeaseLost loss) {
        boolean ended = false;
        try {
            action.accept(loss);
            ended = true;
        } finally {
            started.set(ended);
        }
    }
}
