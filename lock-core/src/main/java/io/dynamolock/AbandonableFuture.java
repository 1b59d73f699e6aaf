/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.concurrent.CompletableFuture;

/**
 * The future of an attempt, which its caller abandons by cancelling it, or by completing it in any other way, as {@code
 * orTimeout} and {@code completeAsync} do. The attempt itself completes it by {@link #settle} and {@link #fail}.
 */
final class AbandonableFuture<T> extends CompletableFuture<T> {

    private volatile boolean ended;

    /**
     * Creates an incomplete future.
     *
     * @param abandon ends the attempt, and gives back what it has acquired
     */
    AbandonableFuture(Runnable abandon) {
        CompletableFuture<T> unused = whenComplete((outcome, failure) -> {
            if (!ended) {
                abandon.run();
            }
        });
    }

    /** Completes with the outcome; returns false if the caller was faster. */
    boolean settle(T outcome) {
        ended = true;
        return complete(outcome);
    }

    void fail(Throwable failure) {
        ended = true;
        completeExceptionally(failure);
    }
}
