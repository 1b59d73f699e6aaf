/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** The wait of one thread. All waits in the engine go through this interface, so that a test can control time. */
public interface Parker {

    /** A timeout longer than any wait, and within the range of the monotonic clock. */
    Duration FOREVER = Duration.ofDays(10_000);

    /** Ends the current wait, or else the next one. */
    void wake();

    /** Waits until it is woken, for at most the given time. */
    void await(long nanos) throws InterruptedException;

    /** Ends this parker: its thread will not wait here again. */
    default void end() {}

    /** Returns the time of the clock that this parker waits by. */
    long nanos();

    /** Waits until the condition holds, checking it after each wake-up, for at most the timeout. */
    default void awaitUntil(BooleanSupplier done, Duration timeout) throws InterruptedException {
        long end = nanos() + Durations.nanos(timeout);
        long remaining = end - nanos();
        while (remaining > 0 && !done.getAsBoolean()) {
            await(remaining);
            remaining = end - nanos();
        }
    }

    /**
     * Like {@code awaitUntil}, but not ended by an interrupt: returns whether there was one; the thread's flag is
     * cleared.
     */
    default boolean awaitUninterruptibly(BooleanSupplier done, Duration timeout) {
        boolean interrupted = false;
        long end = nanos() + Durations.nanos(timeout);
        while (true) {
            try {
                awaitUntil(done, Duration.ofNanos(end - nanos()));
                return interrupted;
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
    }

    /**
     * Waits until the future is completed, normally or exceptionally. Not ended by an interrupt: returns whether there
     * was one; the thread's flag is cleared.
     */
    default boolean awaitUninterruptibly(CompletableFuture<?> future) {
        CompletableFuture<?> unused = future.whenComplete((value, failure) -> wake());
        return awaitUninterruptibly(future::isDone, FOREVER);
    }

    /** Waits for the whole time; returns whether there was an interrupt, and clears the thread's flag. */
    default boolean awaitUninterruptibly(Duration time) {
        return awaitUninterruptibly(() -> false, time);
    }
}
