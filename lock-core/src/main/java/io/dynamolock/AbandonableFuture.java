/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.concurrent.CompletableFuture;

/**
 * The future of an attempt, which its caller abandons by cancelling it, or by completing it in any other way, as {@code
 * orTimeout} does. The attempt itself completes it by {@link #settle} and {@link #fail}.
 */
final class AbandonableFuture<T> extends CompletableFuture<T> {

    private final Runnable abandon;

    /**
     * Creates an incomplete future.
     *
     * @param abandon ends the attempt, and gives back what it has acquired
     */
    AbandonableFuture(Runnable abandon) {
        this.abandon = abandon;
    }

    /** Completes with the outcome; returns false if the caller was faster. */
    boolean settle(T outcome) {
        return super.complete(outcome);
    }

    void fail(Throwable failure) {
        super.completeExceptionally(failure);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        abandon.run();
        return cancelled;
    }

    @Override
    public boolean complete(T value) {
        boolean completed = super.complete(value);
        abandon.run();
        return completed;
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
        boolean completed = super.completeExceptionally(failure);
        abandon.run();
        return completed;
    }
}
