/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Drives an {@link Acquisition} on the manager's threads: a thread per request while one is under way, none while waiting.
 *
 * @param <T> what it completes with
 */
final class AsyncAcquisition<T> extends CompletableFuture<T> {

    private final Engine engine;
    private final Acquisition acquisition;
    private final Function<Acquisition, T> outcome;
    private final AtomicInteger signals = new AtomicInteger();
    private Tasks.Scheduled alarm = () -> {};

    private AsyncAcquisition(
            Engine engine,
            LockRequest request,
            String owner,
            @Nullable Thread holder,
            Function<Acquisition, T> outcome) {
        this.engine = engine;
        this.outcome = outcome;
        this.acquisition = new Acquisition(engine, request, owner, holder, this::signal);
    }

    /** One that completes with nothing if the lock is busy. */
    static AsyncAcquisition<Optional<Lease>> trying(
            Engine engine, LockRequest request, String owner, @Nullable Thread holder) {
        return new AsyncAcquisition<>(engine, request, owner, holder, attempt -> Optional.ofNullable(attempt.result()));
    }

    /** One that fails with the holder if the lock is busy. */
    static AsyncAcquisition<Lease> insisting(Engine engine, LockRequest request, String owner) {
        return new AsyncAcquisition<>(engine, request, owner, null, Acquisition::lease);
    }

    /** Sees to it that it is advanced soon, by one thread at a time. */
    void signal() {
        if (signals.getAndIncrement() == 0) {
            engine.inBackground(this::drive);
        }
    }

    private void drive() {
        int seen;
        do {
            seen = signals.get();
            alarm.cancel();
            acquisition.advance();
            if (acquisition.isDone()) {
                settle();
                return;
            }
            alarm = engine.tasks.at(acquisition.wakeNanos(), this::signal);
        } while (signals.addAndGet(-seen) != 0);
    }

    private void settle() {
        try {
            if (!complete(outcome.apply(acquisition))) {
                release();
            }
        } catch (RuntimeException failure) {
            completeExceptionally(failure);
        }
    }

    private void release() {
        HeldLease lease = acquisition.result();
        if (lease != null) {
            lease.release();
        }
    }

    /**
     * Waits until it is done, one way or another. An interrupt ends this at once, also while a request is under way; what that
     * request may still acquire is given back in the background.
     */
    Acquisition await() throws InterruptedException {
        Pause pause = engine.tasks.pause();
        try {
            pause.until(this);
        } catch (InterruptedException interrupt) {
            if (!cancel(true)) {
                giveBack();
            }
            throw interrupt;
        }
        return acquisition;
    }

    private void giveBack() {
        if (!isCompletedExceptionally()) {
            engine.tasks.work(this::release);
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        acquisition.abandon();
        signal();
        return cancelled;
    }
}
