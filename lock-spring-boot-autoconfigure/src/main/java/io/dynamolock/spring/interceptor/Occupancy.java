/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the threads, the coroutines and the inner locked methods that are in a method, whose lock is held until all of
 * them have left.
 */
final class Occupancy {

    private final CompletableFuture<Void> left = new CompletableFuture<>();

    /** One for each of them, and one that leaves with {@link #close()}. Remains at zero. */
    private final AtomicLong inside = new AtomicLong(1);

    /** Returns false, and counts nothing, if all have left. */
    boolean enter() {
        return inside.updateAndGet(count -> count == 0 ? 0 : count + 1) > 0;
    }

    void leave() {
        if (inside.decrementAndGet() == 0) {
            left.complete(null);
        }
    }

    /** Admits nobody else once all have left. Returns a stage that completes then. */
    CompletionStage<Void> close() {
        leave();
        return left;
    }

    /** Returns a stage that completes when all have left after {@link #close()}. */
    CompletionStage<Void> left() {
        return left;
    }
}
