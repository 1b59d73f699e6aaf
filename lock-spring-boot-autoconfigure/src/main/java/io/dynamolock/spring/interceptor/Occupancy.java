/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Phaser;

/** Counts the threads and coroutines that are in a method, whose lock is held until all of them have left. */
final class Occupancy {

    private final CompletableFuture<Void> left = new CompletableFuture<>();

    /** One party for each of them, and one that leaves with {@link #close()}. */
    private final Phaser inside = new Phaser(1);

    /** Returns false, and counts nothing, if all have left. */
    boolean enter() {
        return inside.register() >= 0;
    }

    void leave() {
        inside.arriveAndDeregister();
        if (inside.isTerminated()) {
            left.complete(null);
        }
    }

    /** Admits nobody else once all have left. Returns a stage that completes then. */
    CompletionStage<Void> close() {
        leave();
        return left;
    }
}
