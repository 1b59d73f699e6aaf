/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Scheduler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Closes a lease on a manager thread, or fails if the manager has stopped before a thread was free. */
final class AsyncClose {

    private final EngineContext context;
    private final HeldLease lease;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final AtomicBoolean begun = new AtomicBoolean();

    private AsyncClose(EngineContext context, HeldLease lease) {
        this.context = context;
        this.lease = lease;
    }

    static CompletionStage<Void> of(EngineContext context, HeldLease lease) {
        context.releasing.add(lease); // first, so that a closing manager waits for it
        if (lease.wasLostByClosing()) {
            context.releasing.remove(lease);
            return CompletableFuture.completedStage(null);
        }
        AsyncClose close = new AsyncClose(context, lease);
        context.closings.add(close);
        context.inBackground(Scheduler.Rank.RELEASE, close::run);
        return close.closed.minimalCompletionStage();
    }

    private void run() {
        if (!begin()) {
            return;
        }
        try {
            lease.close();
            context.scheduler.complete(() -> closed.complete(null));
        } catch (Throwable failure) {
            context.scheduler.complete(() -> closed.completeExceptionally(failure));
        } finally {
            context.releasing.remove(lease);
        }
    }

    /** Called when the manager has stopped: fails the close if it has not begun, as no thread is left for it. */
    void stopped() {
        if (begin()) {
            context.releasing.remove(lease);
            context.scheduler.complete(() -> closed.completeExceptionally(EngineContext.closedException()));
        }
    }

    private boolean begin() {
        context.closings.remove(this);
        return begun.compareAndSet(false, true);
    }
}
