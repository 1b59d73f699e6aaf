/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** Runs an action of a test on a thread of its own. */
final class Background {

    private Background() {}

    static <T> CompletableFuture<T> run(Callable<T> action) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                result.complete(action.call());
            } catch (Throwable failure) {
                result.completeExceptionally(failure);
            }
        });
        thread.start();
        return result;
    }
}
