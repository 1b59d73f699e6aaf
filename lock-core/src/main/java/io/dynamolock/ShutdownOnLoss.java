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

/** Ends an application that must not go on after a loss: once, on a thread of its own, since ending it closes the manager. */
final class ShutdownOnLoss {

    private static final Logger LOG = LoggerFactory.getLogger(ShutdownOnLoss.class);

    private final Consumer<LeaseLost> action;
    private final Executor thread;
    private final AtomicBoolean declared = new AtomicBoolean();

    ShutdownOnLoss(Consumer<LeaseLost> action) {
        this(action, task -> new Thread(task, "dynamolock-shutdown").start());
    }

    ShutdownOnLoss(Consumer<LeaseLost> action, Executor thread) {
        this.action = action;
        this.thread = thread;
    }

    /** Returns false if no thread can be started for it, so that it is to be {@linkplain #declareHere declared here}. */
    boolean declare(LeaseLost loss) {
        if (!declared.compareAndSet(false, true)) {
            return true;
        }
        try {
            thread.execute(() -> end(loss));
            return true;
        } catch (Throwable noThread) {
            declared.set(false);
            LOG.warn("No thread can be started to end the application after the loss of '{}'", loss.name(), noThread);
            return false;
        }
    }

    /** Ends the application on the thread at hand, unless another loss has ended it. */
    void declareHere(LeaseLost loss) {
        if (declared.compareAndSet(false, true)) {
            end(loss);
        }
    }

    /** If the application could not be ended, the next loss tries again. */
    private void end(LeaseLost loss) {
        boolean ended = false;
        try {
            action.accept(loss);
            ended = true;
        } finally {
            declared.set(ended);
        }
    }
}
