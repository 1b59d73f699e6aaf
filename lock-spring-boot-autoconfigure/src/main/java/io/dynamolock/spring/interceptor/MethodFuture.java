/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.spring.ForeignCode;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The future that a locked method returned. */
final class MethodFuture {

    private static final Logger LOG = LoggerFactory.getLogger(MethodFuture.class);

    private MethodFuture() {}

    /**
     * Waits for the end of a result that is a future, whose outcome the caller receives. An interruption cancels the
     * future, and is thrown once that has ended: its work must not go on without the lock.
     */
    static void await(@Nullable Object result, Lease lease) throws InterruptedException {
        Future<?> end = end(result);
        InterruptedException interruption = null;
        while (end != null) {
            try {
                end.get();
                end = null;
            } catch (ExecutionException | CancellationException itsOwn) {
                lease.markFailed();
                end = null;
            } catch (InterruptedException interrupted) {
                interruption = interrupted;
                cancel(result);
                boolean unused = Thread.interrupted(); // by the cancellation, which must not repeat itself
            }
        }
        if (interruption != null) {
            throw interruption;
        }
    }

    private static @Nullable Future<?> end(@Nullable Object result) {
        if (result instanceof CompletionStage<?> stage) {
            CompletableFuture<String> end = new CompletableFuture<>();
            LockedFuture.whenOver(stage, (value, failure) -> complete(end, failure));
            return end;
        }
        return result instanceof Future<?> future ? future : null;
    }

    private static void complete(CompletableFuture<String> end, @Nullable Throwable failure) {
        if (failure == null) {
            end.complete("over");
        } else {
            end.completeExceptionally(failure);
        }
    }

    private static void notCancelled(Throwable failure) {
        if (!(failure instanceof UnsupportedOperationException)) { // a stage that completes on its own
            LOG.warn(
                    "The future of a locked method failed on its cancellation; its lock is held until it completes",
                    failure);
        }
    }

    /** Cancels a future. A stage that cannot be cancelled completes on its own. */
    static void cancel(@Nullable Object result) {
        ForeignCode.run(
                () -> {
                    if (result instanceof Future<?> future) {
                        future.cancel(true);
                    } else if (result instanceof CompletionStage<?> stage) {
                        stage.toCompletableFuture().cancel(true);
                    }
                },
                MethodFuture::notCancelled);
    }
}
