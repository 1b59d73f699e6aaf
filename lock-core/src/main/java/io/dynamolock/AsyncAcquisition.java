/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import io.dynamolock.time.Scheduler;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Drives an {@link Acquisition} on the manager's threads. It uses a thread only while a request is in flight, none
 * while waiting. If no thread is free before its time has elapsed, the future fails, and a lease acquired later is
 * released.
 *
 * @param <T> the result type of the future
 */
final class AsyncAcquisition<T> implements AcquisitionDriver {

    private final EngineContext context;
    private final Acquisition acquisition;
    private final Function<Acquisition, T> outcome;
    private final LockRequest request;
    private final Duration call;

    /** Starts above zero, so that a wake-up by a closing manager submits nothing before this object is complete. */
    private final AtomicInteger signals = new AtomicInteger(1);

    private final AbandonableFuture<T> future = new AbandonableFuture<>(this::abandon);

    private Scheduler.Scheduled alarm = Scheduler.Scheduled.NONE;
    private volatile Scheduler.Scheduled end = Scheduler.Scheduled.NONE;
    private volatile long endNanos;
    private volatile boolean begun;

    /** The thread that drives it, or drove it to its end; null between its steps. */
    private volatile @Nullable Thread thread;

    private AsyncAcquisition(AcquireContext acquire, LockRequest request, Function<Acquisition, T> outcome) {
        this.context = acquire.engine();
        this.outcome = outcome;
        this.request = request;
        this.call = context.callTimeout(context.settings.leaseOf(request));
        this.acquisition = new Acquisition(acquire, request, null, this);
    }

    /** Starts an acquisition that completes with an empty Optional if the lock is busy. */
    static CompletableFuture<Optional<Lease>> tryAcquire(AcquireContext acquire, LockRequest request) {
        return begun(acquire, request, attempt -> Optional.ofNullable(attempt.result()));
    }

    /** Starts an acquisition that fails with LockBusyException if the lock is busy. */
    static CompletableFuture<Lease> acquire(AcquireContext acquire, LockRequest request) {
        return begun(acquire, request, attempt -> attempt.lease(false));
    }

    /** Errors detected before the start complete the future exceptionally. */
    private static <T> CompletableFuture<T> begun(
            AcquireContext acquire, LockRequest request, Function<Acquisition, T> outcome) {
        AsyncAcquisition<T> acquisition;
        try {
            RuntimeException rejection = acquire.hooks().rejection();
            if (rejection != null) {
                throw rejection;
            }
            Objects.requireNonNull(request, "request");
            acquisition = new AsyncAcquisition<>(acquire, request, outcome);
        } catch (RuntimeException rejected) {
            return CompletableFuture.failedFuture(rejected);
        }
        acquisition.begin();
        return acquisition.future;
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

    /** Fails the acquisition, unless a thread is driving it or the process was paused; then checks again later. */
    private void waitTimeElapsed() {
        if (future.isDone()) {
            return;
        }
        long now = context.clock.nanos();
        boolean pausedMeanwhile = now - endNanos > Durations.nanos(call);
        if (thread != null || pausedMeanwhile) {
            endNanos = now + Durations.nanos(call);
            end = context.scheduler.schedule(endNanos, this::waitTimeElapsed);
            return;
        }
        acquisition.abandon();
        wake();
        LockStoreException failure = tooLate();
        context.scheduler.complete(() -> future.fail(failure));
    }

    private LockStoreException tooLate() {
        LockStoreException last = acquisition.lastFailure();
        String why = begun
                ? "the wait time and the call timeout have elapsed"
                : "all background threads were busy with hanging requests, or could not be started. Check the connection to"
                        + " the store, and the limit of threads of this process; or use the blocking call";
        return new LockStoreException(
                request.name(),
                "Lock '%s' was not acquired in time: %s"
                        .formatted(request.name(), last == null ? why : last.getMessage()),
                last,
                begun,
                true);
    }

    /** Ensures that the acquisition is advanced soon, by one thread at a time. */
    @Override
    public void wake() {
        if (signals.getAndIncrement() == 0) {
            context.inBackground(Scheduler.Rank.ACQUIRE, this::drive);
        }
    }

    @Override
    public boolean isOnThisThread() {
        return thread == Thread.currentThread();
    }

    @Override
    public void stopped() {
        end.cancel();
        context.scheduler.complete(() -> future.fail(new LockManagerClosedException()));
    }

    private void drive() {
        int seen;
        boolean over = false;
        begun = true;
        do {
            thread = Thread.currentThread();
            seen = signals.get();
            try {
                over = advance();
            } catch (Throwable unexpected) {
                signals.set(0);
                wake(); // what is left is done by another thread
                throw unexpected;
            } finally {
                thread = over ? thread : null;
            }
        } while (!over && signals.addAndGet(-seen) != 0);
    }

    /** Advances the acquisition; returns whether it is done. Fails it if its next step cannot be scheduled. */
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
            if (!future.settle(outcome.apply(acquisition))) {
                releaseInBackground();
            }
        } catch (Throwable failure) {
            future.fail(failure);
        }
    }

    private void releaseInBackground() {
        HeldLease lease = acquisition.result();
        if (lease != null) {
            lease.markUnused();
            context.inBackground(Scheduler.Rank.RELEASE, lease::release);
        }
    }

    private void abandon() {
        acquisition.abandon();
        wake();
    }
}
