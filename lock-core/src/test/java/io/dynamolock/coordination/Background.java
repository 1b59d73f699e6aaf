/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Threads of a test. */
final class Background {

    private Background() {}

    /** Runs an action on a thread of its own. */
    static <T> CompletableFuture<T> run(Callable<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        start(() -> {
            try {
                result.complete(action.call());
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
            }
        });
        return result;
    }

    static void start(Runnable action) {
        new Thread(action).start();
    }

    /** Waits on a thread that is never interrupted. */
    static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            assertThat(latch.await(5, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupt) {
            throw new IllegalStateException(interrupt);
        }
    }
}
