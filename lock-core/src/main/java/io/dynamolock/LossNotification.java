/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports the loss of one lease, once and with its reason, to every action registered before or after the loss. Actions
 * run one after the other in the order of their registration, on callback threads; the stage does not wait for them.
 */
final class LossNotification {

    private static final Logger LOG = LoggerFactory.getLogger(LossNotification.class);

    private final EngineContext context;
    private final List<Consumer<LeaseLost>> actions = new ArrayList<>(0);

    /** What completes the stages of the lease and its handles. */
    private final List<Consumer<LeaseLost>> completions = new ArrayList<>(0);

    private boolean running;
    private @Nullable LeaseLost loss;
    private @Nullable CompletionStage<LeaseLost> stage;

    LossNotification(EngineContext context) {
        this.context = context;
    }

    void publish(LeaseLost lost) {
        List<Consumer<LeaseLost>> awaited;
        boolean starts;
        synchronized (this) {
            loss = lost;
            awaited = List.copyOf(completions);
            completions.clear();
            starts = startsRunning();
        }
        try {
            if (!awaited.isEmpty()) {
                context.scheduler.complete(() -> awaited.forEach(completion -> completion.accept(lost)));
            }
        } finally {
            if (starts) {
                context.runCallback(() -> run(lost));
            }
        }
    }

    synchronized CompletionStage<LeaseLost> stage() {
        if (stage == null) {
            CompletableFuture<LeaseLost> future = new CompletableFuture<>();
            var unused = registerCompletion(future::complete);
            stage = future.minimalCompletionStage();
        }
        return stage;
    }

    /** Registers what completes a stage, now if the loss is known; returns what forgets it. */
    synchronized Runnable registerCompletion(Consumer<LeaseLost> completion) {
        if (loss == null) {
            completions.add(completion);
        } else {
            completion.accept(loss);
        }
        return () -> forget(completions, completion);
    }

    /** Registers an action; returns what forgets it. */
    Runnable register(Consumer<LeaseLost> action) {
        Objects.requireNonNull(action, "action");
        LeaseLost known;
        boolean starts;
        synchronized (this) {
            actions.add(action);
            known = loss;
            starts = startsRunning();
        }
        if (known != null && starts) {
            context.runCallback(() -> run(known));
        }
        return () -> forget(actions, action);
    }

    private synchronized void forget(List<Consumer<LeaseLost>> registered, Consumer<LeaseLost> one) {
        registered.remove(one);
    }

    private synchronized boolean startsRunning() {
        boolean starts = loss != null && !running && !actions.isEmpty();
        running |= starts;
        return starts;
    }

    private void run(LeaseLost known) {
        Consumer<LeaseLost> action = next();
        while (action != null) {
            try {
                action.accept(known);
            } catch (Throwable failure) {
                LOG.warn("An onLost callback of lock '{}' failed", known.name(), failure);
            }
            action = next();
        }
    }

    private synchronized @Nullable Consumer<LeaseLost> next() {
        Consumer<LeaseLost> action = actions.isEmpty() ? null : actions.remove(0);
        running = action != null;
        return action;
    }
}
