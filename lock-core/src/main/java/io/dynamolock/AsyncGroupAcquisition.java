/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Acquires several locks, or none, without blocking a thread. Completes after an incomplete acquisition has been
 * released; cancelling it leaves nothing behind.
 *
 * @param <T> the result type of the future
 */
final class AsyncGroupAcquisition<T> {

    private final LockManager locks;
    private final GroupAcquisition acquisition;
    private final Function<Lease, T> outcome;
    private final @Nullable T busy;
    private final AbandonableFuture<T> future = new AbandonableFuture<>(this::abandon);
    private volatile @Nullable CompletableFuture<Lease> current;

    private AsyncGroupAcquisition(
            LockManager locks, GroupAcquisition acquisition, Function<Lease, T> outcome, @Nullable T busy) {
        this.locks = locks;
        this.acquisition = acquisition;
        this.outcome = outcome;
        this.busy = busy;
    }

    /** Starts an acquisition that completes with an empty Optional if one of the locks is busy. */
    static CompletableFuture<Optional<Lease>> tryAcquire(LockManager locks, GroupAcquisition acquisition) {
        return new AsyncGroupAcquisition<>(locks, acquisition, Optional::of, Optional.<Lease>empty()).begun();
    }

    /** Starts an acquisition that fails with LockBusyException if one of the locks is busy. */
    static CompletableFuture<Lease> acquire(LockManager locks, GroupAcquisition acquisition) {
        return new AsyncGroupAcquisition<Lease>(locks, acquisition, all -> all, null).begun();
    }

    private CompletableFuture<T> begun() {
        acquireNext();
        return future;
    }

    private void acquireNext() {
        CompletableFuture<Lease> next = locks.acquireAsync(acquisition.next());
        current = next;
        if (future.isDone()) {
            next.cancel(true);
        }
        CompletableFuture<Lease> unused = next.whenComplete(this::answered);
    }

    private void answered(@Nullable Lease lease, @Nullable Throwable failure) {
        if (lease != null) {
            acquisition.acquired(lease);
        }
        if (failure != null) {
            giveUp(unwrapped(failure));
            return;
        }
        try {
            if (future.isDone() || acquisition.isComplete()) {
                finish();
            } else {
                acquireNext();
            }
        } catch (RuntimeException broken) { // one of the leases was lost, or a listener has released it
            giveUp(broken);
        }
    }

    private void finish() {
        LeaseGroup all = acquisition.group();
        all.ensureHeld();
        if (!future.settle(outcome.apply(all))) {
            CompletionStage<Void> unused = LeasedWork.endUnusedAsync(all);
        }
    }

    private void giveUp(Throwable failure) {
        CompletionStage<Void> unused =
                LeasedWork.endUnusedAsync(acquisition.group()).thenRun(() -> gaveUp(failure));
    }

    private void gaveUp(Throwable failure) {
        if (failure instanceof LockBusyException && busy != null) {
            future.settle(busy);
        } else {
            future.fail(failure);
        }
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure.getCause();
        return failure instanceof CompletionException && cause != null ? cause : failure;
    }

    private void abandon() {
        CompletableFuture<Lease> next = current;
        if (next != null) {
            next.cancel(true);
        }
    }
}
