/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Drives an {@link Acquisition} on the manager's threads: a thread per request while one is under way, none while waiting.
 *
 * @param <T> what it completes with
 */
final class AsyncAcquisition<T> extends CompletableFuture<T> implements Acquisition.Driver {

    private final Engine engine;
    private final Acquisition acquisition;
    private final Function<Acquisition, T> outcome;
    private final AtomicInteger signals = new AtomicInteger();
    private Tasks.Scheduled alarm = () -> {};

    private AsyncAcquisition(Engine engine, LockRequest request, String owner, Function<Acquisition, T> outcome) {
        this.engine = engine;
        this.outcome = outcome;
        this.acquisition = new Acquisition(engine, request, owner, null, this);
    }

    /** Starts one that completes with nothing if the lock is busy. */
    static AsyncAcquisition<Optional<Lease>> trying(Engine engine, LockRequest request, String owner) {
        return begun(new AsyncAcquisition<>(engine, request, owner, attempt -> Optional.ofNullable(attempt.result())));
    }

    /** Starts one that fails with the holder if the lock is busy. */
    static AsyncAcquisition<Lease> insisting(Engine engine, LockRequest request, String owner) {
        return begun(new AsyncAcquisition<>(engine, request, owner, Acquisition::lease));
    }

    private static <T> AsyncAcquisition<T> begun(AsyncAcquisition<T> acquisition) {
        acquisition.wake();
        return acquisition;
    }

    /** Sees to it that it is advanced soon, by one thread at a time. */
    @Override
    public void wake() {
        if (signals.getAndIncrement() == 0) {
            engine.inBackground(Tasks.Rank.LOOK, this::drive);
        }
    }

    @Override
    public void stopped() {
        engine.tasks.complete(() -> completeExceptionally(Engine.closedException()));
    }

    private void drive() {
        int seen;
        do {
            seen = signals.get();
            alarm.cancel();
            acquisition.advance();
            if (acquisition.isDone()) {
                engine.tasks.complete(this::settle);
                return;
            }
            alarm = engine.tasks.at(acquisition.wakeNanos(), this::wake);
        } while (signals.addAndGet(-seen) != 0);
    }

    private void settle() {
        try {
            if (!complete(outcome.apply(acquisition))) {
                giveBack();
            }
        } catch (RuntimeException failure) {
            completeExceptionally(failure);
        }
    }

    private void giveBack() {
        HeldLease lease = acquisition.result();
        if (lease != null) {
            engine.inBackground(Tasks.Rank.RELEASE, lease::release);
        }
    }

    /** Gives the acquisition up; what it has, or may have, is given back in the background. */
    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        acquisition.abandon();
        wake();
        return cancelled;
    }
}
