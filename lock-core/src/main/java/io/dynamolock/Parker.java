/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/** The wait of one thread. Whatever waits in the engine waits here, so that a test can let time pass as it likes. */
interface Parker {

    /** Longer than any wait, and not too long for the monotonic clock. */
    Duration FOREVER = Duration.ofDays(10_000);

    /** Ends the wait that is under way, or else the next one. */
    void wake();

    /** Waits until it is woken, or for so long. */
    void await(long nanos) throws InterruptedException;

    /** The thread that waits does not come back to wait. */
    default void end() {}

    /** The clock by which it waits. */
    long nanos();

    /** Waits until something is so, looking whenever it is woken, or for so long. */
    default void until(BooleanSupplier done, Duration patience) throws InterruptedException {
        long end = nanos() + Durations.nanos(patience);
        long left = end - nanos();
        while (left > 0 && !done.getAsBoolean()) {
            await(left);
            left = end - nanos();
        }
    }

    /** The same, but an interrupt does not end it: tells whether there was one; the thread's flag is cleared. */
    default boolean awaitUninterruptibly(BooleanSupplier done, Duration patience) {
        boolean interrupted = false;
        long end = nanos() + Durations.nanos(patience);
        while (true) {
            try {
                until(done, Duration.ofNanos(end - nanos()));
                return interrupted;
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
    }

    /** Waits until it is completed, one way or another. */
    default void until(CompletableFuture<?> future) throws InterruptedException {
        CompletableFuture<?> unused = future.whenComplete((value, failure) -> wake());
        until(future::isDone, FOREVER);
    }

    /** The same, but an interrupt does not end it: tells whether there was one; the thread's flag is cleared. */
    default boolean awaitUninterruptibly(CompletableFuture<?> future) {
        CompletableFuture<?> unused = future.whenComplete((value, failure) -> wake());
        return awaitUninterruptibly(future::isDone, FOREVER);
    }

    /** Waits for the whole time. */
    default boolean awaitUninterruptibly(Duration time) {
        return awaitUninterruptibly(() -> false, time);
    }
}
