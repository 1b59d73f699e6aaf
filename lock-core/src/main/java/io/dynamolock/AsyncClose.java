/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Closes a lease on a manager thread, or fails if the manager has stopped before a thread was free. */
final class AsyncClose {

    /** Informs the manager of closes that have not begun; it calls {@link #stopped()} when it has stopped. */
    interface Hooks extends LeaseRelease.Hooks {

        void releaseRequested(Lease lease);

        /** Called if no thread performs the release that was requested. */
        void releaseCancelled(Lease lease);

        void closeRequested(AsyncClose close);

        void closeBegun(AsyncClose close);
    }

    private final EngineContext context;
    private final Hooks hooks;
    private final Lease lease;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private boolean begun;

    private AsyncClose(EngineContext context, Hooks hooks, Lease lease) {
        this.context = context;
        this.hooks = hooks;
        this.lease = lease;
    }

    static CompletionStage<Void> of(EngineContext context, Hooks hooks, Lease lease, LeaseStatus status) {
        hooks.releaseRequested(lease); // first, so that a closing manager waits for it
        if (status.isLeftToExpire()) {
            hooks.releaseCancelled(lease);
            return CompletableFuture.completedStage(null);
        }
        AsyncClose close = new AsyncClose(context, hooks, lease);
        if (!close.submit()) {
            close.perform();
        }
        return close.closed.minimalCompletionStage();
    }

    /** Submits it; returns false if no manager thread accepts it: it has begun then, and the manager cannot stop it. */
    private synchronized boolean submit() {
        hooks.closeRequested(this);
        return context.submit(Scheduler.Rank.RELEASE, this::run) || !begin();
    }

    private void run() {
        if (begin()) {
            perform();
        }
    }

    private void perform() {
        hooks.releaseBegun(lease);
        try {
            lease.close();
            context.scheduler.complete(() -> closed.complete(null));
        } catch (Throwable failure) {
            context.scheduler.complete(() -> closed.completeExceptionally(failure));
        } finally {
            hooks.releaseEnded(lease);
        }
    }

    /** Called when the manager has stopped: fails the close if it has not begun, as no thread is left for it. */
    void stopped() {
        if (begin()) {
            hooks.releaseCancelled(lease);
            context.scheduler.complete(() -> closed.completeExceptionally(new LockManagerClosedException()));
        }
    }

    private synchronized boolean begin() {
        hooks.closeBegun(this);
        boolean begins = !begun;
        begun = true;
        return begins;
    }
}
