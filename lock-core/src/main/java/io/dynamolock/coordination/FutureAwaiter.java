/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Blocks the calling thread until a future is done. */
interface FutureAwaiter {

    /**
     * Waits for the end of a future, whatever it is.
     *
     * @param atMost how long
     * @return whether the future is done
     * @throws InterruptedException if the thread is interrupted meanwhile
     */
    boolean isDone(CompletableFuture<?> future, Duration atMost) throws InterruptedException;

    /**
     * Waits like {@link #isDone}, also on an interrupted thread. An interrupt meanwhile ends the wait; it is preserved.
     *
     * @param future any
     * @param atMost how long
     * @return whether the future is done
     */
    default boolean isDoneDespiteInterrupt(CompletableFuture<?> future, Duration atMost) {
        boolean interrupted = Thread.interrupted();
        try {
            return isDone(future, atMost);
        } catch (InterruptedException interrupt) {
            interrupted = true;
            return future.isDone();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Returns the result of a future, or throws its failure itself. */
    static <T> T resultOf(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failed;
        }
    }

    static FutureAwaiter ofThread() {
        return (future, atMost) -> {
            try {
                var unused = future.get(atMost.toMillis(), TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException notYet) {
                return false;
            } catch (ExecutionException failed) {
                return true;
            }
        };
    }
}
