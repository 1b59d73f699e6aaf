/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * Drives an {@link Acquisition} on the manager's threads: a thread per request while one is under way, none while waiting. If
 * none of them is free until its time is over, it fails by itself, and gives back what it acquires later.
 *
 * @param <T> what it completes with
 */
final class AsyncAcquisition<T> extends CompletableFuture<T> implements Acquisition.Driver {

    private final EngineContext context;
    private final Acquisition acquisition;
    private final Function<Acquisition, T> outcome;
    private final LockRequest request;
    private final Duration call;

    /** More than none until it has begun: a manager that closes may wake it before it is complete. */
    private final AtomicInteger signals = new AtomicInteger(1);

    private Scheduler.Scheduled alarm = () -> {};
    private volatile Scheduler.Scheduled end = () -> {};
    private volatile long endNanos;
    private volatile boolean begun;
    private volatile boolean driven;

    private AsyncAcquisition(
            EngineContext context, LockRequest request, String owner, Function<Acquisition, T> outcome) {
        this.context = context;
        this.outcome = outcome;
        this.request = request;
        this.call = context.callTimeout(context.settings.leaseOf(request));
        this.acquisition = new Acquisition(context, request, owner, null, this);
    }

    /** Starts one that completes with nothing if the lock is busy. */
    static CompletableFuture<Optional<Lease>> trying(EngineContext context, LockRequest request, String owner) {
        return begun(context, request, owner, attempt -> Optional.ofNullable(attempt.result()));
    }

    /** Starts one that fails with the holder if the lock is busy. */
    static CompletableFuture<Lease> insisting(EngineContext context, LockRequest request, String owner) {
        return begun(context, request, owner, Acquisition::lease);
    }

    /** Errors detected before the start complete the future exceptionally. */
    private static <T> CompletableFuture<T> begun(
            EngineContext context, LockRequest request, String owner, Function<Acquisition, T> outcome) {
        AsyncAcquisition<T> acquisition;
        try {
            context.requireOpen();
            Objects.requireNonNull(request, "request");
            acquisition = new AsyncAcquisition<>(context, request, owner, outcome);
        } catch (RuntimeException refused) {
            return failedFuture(refused);
        }
        acquisition.begin();
        return acquisition;
    }

    private void begin() {
        endNanos = context.clock.nanos() + Durations.nanos(context.waitOf(request)) + Durations.nanos(call);
        try {
            end = context.scheduler.schedule(endNanos, this::waitTimeElapsed);
        } catch (Throwable noThread) {
            acquisition.failUnexpectedly(noThread);
        }
        context.inBackground(Scheduler.Rank.ACQUIRE, this::drive);
    }

    /** Fails it, unless it has a thread just now: its requests end by themselves. */
    private void waitTimeElapsed() {
        if (isDone()) {
            return;
        }
        long now = context.clock.nanos();
        boolean stoppedMeanwhile = now - endNanos > Durations.nanos(call);
        if (driven || stoppedMeanwhile) {
            endNanos = now + Durations.nanos(call);
            end = context.scheduler.schedule(endNanos, this::waitTimeElapsed);
            return;
        }
        acquisition.abandon();
        wake();
        LockStoreException failure = tooLate();
        context.scheduler.complete(() -> completeExceptionally(failure));
    }

    private LockStoreException tooLate() {
        LockStoreException last = acquisition.lastFailure();
        String why = begun
                ? "its wait time and the call timeout are over"
                : "all background threads were busy with requests that hang. Check the connection to the store, or use the"
                        + " blocking call";
        return new LockStoreException(
                request.name(),
                "Lock '%s' was not acquired in time: %s"
                        .formatted(request.name(), last == null ? why : last.getMessage()),
                last,
                begun,
                true);
    }

    /** Sees to it that it is advanced soon, by one thread at a time. */
    @Override
    public void wake() {
        if (signals.getAndIncrement() == 0) {
            context.inBackground(Scheduler.Rank.ACQUIRE, this::drive);
        }
    }

    @Override
    public void stopped() {
        end.cancel();
        context.scheduler.complete(() -> completeExceptionally(EngineContext.closedException()));
    }

    private void drive() {
        int seen;
        boolean over = false;
        begun = true;
        do {
            driven = true;
            seen = signals.get();
            try {
                over = advance();
            } finally {
                driven = over;
            }
        } while (!over && signals.addAndGet(-seen) != 0);
    }

    /** Returns whether it is over. It fails if it cannot be woken again. */
    private boolean advance() {
        alarm.cancel();
        acquisition.advance();
        if (!acquisition.isDone()) {
            try {
                alarm = context.scheduler.schedule(acquisition.wakeNanos(), this::wake);
                return false;
            } catch (Throwable noThread) {
                acquisition.failUnexpectedly(noThread);
            }
        }
        end.cancel();
        context.scheduler.complete(this::settle);
        return true;
    }

    private void settle() {
        try {
            if (!complete(outcome.apply(acquisition))) {
                giveBack();
            }
        } catch (Throwable failure) {
            completeExceptionally(failure);
        }
    }

    private void giveBack() {
        HeldLease lease = acquisition.result();
        if (lease != null) {
            context.inBackground(Scheduler.Rank.RELEASE, lease::release);
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
