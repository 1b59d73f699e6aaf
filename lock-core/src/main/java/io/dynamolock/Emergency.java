/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Ends an application that must not go on after a loss: once, on a thread of its own, since ending it closes the manager. */
final class Emergency {

    private final Consumer<LeaseLost> action;
    private final Executor thread;
    private final AtomicBoolean declared = new AtomicBoolean();

    Emergency(Consumer<LeaseLost> action) {
        this(action, task -> new Thread(task, "dynamolock-shutdown").start());
    }

    Emergency(Consumer<LeaseLost> action, Executor thread) {
        this.action = action;
        this.thread = thread;
    }

    void declare(LeaseLost loss) {
        if (declared.compareAndSet(false, true)) {
            thread.execute(() -> action.accept(loss));
        }
    }
}
