/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/** Closes a lease on one of the manager's threads, or fails once the manager is closed and none of them is left for it. */
final class AsyncClose {

    private final EngineContext engine;
    private final HeldLease lease;
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private final AtomicBoolean begun = new AtomicBoolean();

    private AsyncClose(EngineContext engine, HeldLease lease) {
        this.engine = engine;
        this.lease = lease;
    }

    static CompletionStage<Void> of(EngineContext engine, HeldLease lease) {
        engine.releasing.add(lease); // first, so that a manager that is closing waits for it
        if (lease.isClosedAway()) {
            engine.releasing.remove(lease);
            return CompletableFuture.completedStage(null);
        }
        AsyncClose close = new AsyncClose(engine, lease);
        engine.closings.add(close);
        engine.inBackground(Scheduler.Rank.RELEASE, close::run);
        return close.closed.minimalCompletionStage();
    }

    private void run() {
        if (!begin()) {
            return;
        }
        try {
            lease.close();
            engine.tasks.complete(() -> closed.complete(null));
        } catch (Throwable failure) {
            engine.tasks.complete(() -> closed.completeExceptionally(failure));
        } finally {
            engine.releasing.remove(lease);
        }
    }

    /** The manager is closed: what has not begun has no thread any more. */
    void stopped() {
        if (begin()) {
            engine.releasing.remove(lease);
            engine.tasks.complete(() -> closed.completeExceptionally(EngineContext.closedException()));
        }
    }

    private boolean begin() {
        engine.closings.remove(this);
        return begun.compareAndSet(false, true);
    }
}
