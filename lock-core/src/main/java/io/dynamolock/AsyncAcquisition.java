/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Drives an {@link Acquisition} on the manager's threads: a thread per request while one is under way, none while waiting. */
final class AsyncAcquisition extends CompletableFuture<Optional<Lease>> {

    private static final Duration FOREVER = Duration.ofDays(10_000);

    private final Engine engine;
    private final Acquisition acquisition;
    private final AtomicInteger signals = new AtomicInteger();
    private Tasks.Scheduled alarm = () -> {};

    AsyncAcquisition(Engine engine, LockRequest request, String owner, @Nullable Thread holder) {
        this.engine = engine;
        this.acquisition = new Acquisition(engine, request, owner, holder, this::signal);
    }

    /** Sees to it that it is advanced soon, by one thread at a time. */
    void signal() {
        if (signals.getAndIncrement() == 0 && !engine.tasks.work(this::drive)) {
            drive(); // the manager was closed meanwhile: it ends here
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
            HeldLease lease = acquisition.result();
            if (!complete(Optional.ofNullable(lease)) && lease != null) {
                lease.release();
            }
        } catch (RuntimeException failure) {
            completeExceptionally(failure);
        }
    }

    /**
     * Waits until it is done, one way or another. An interrupt ends this at once, also while a request is under way; what that
     * request may still acquire is given back in the background.
     */
    Acquisition await() throws InterruptedException {
        Pause pause = engine.tasks.pause();
        CompletableFuture<Optional<Lease>> unused = whenComplete((lease, failure) -> pause.wake());
        try {
            pause.until(this::isDone, FOREVER);
        } catch (InterruptedException interrupt) {
            if (!cancel(true)) {
                giveBack();
            }
            throw interrupt;
        }
        return acquisition;
    }

    private void giveBack() {
        Lease lease = isCompletedExceptionally() ? null : join().orElse(null);
        if (lease != null) {
            engine.tasks.work(lease::close);
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
