/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;

/** Repeats what has failed after growing delays: from one second to half a minute, of which half is random. */
final class Retries {

    /** Runs an action later. */
    interface Timer {

        void schedule(long millis, Runnable action);
    }

    private static final long SHORTEST = 1_000;
    private static final long LONGEST = 30_000;

    private final Timer timer;
    private final DoubleSupplier random;
    private long delay = SHORTEST;

    Retries(Timer timer, DoubleSupplier random) {
        this.timer = timer;
        this.random = random;
    }

    /** Uses the timer of the JDK, so that an election needs no thread. */
    static Retries ofJdk() {
        return new Retries(
                (millis, action) -> CompletableFuture.delayedExecutor(millis, TimeUnit.MILLISECONDS)
                        .execute(action),
                () -> ThreadLocalRandom.current().nextDouble());
    }

    void later(Runnable action) {
        timer.schedule(nextMillis(), action);
    }

    private synchronized long nextMillis() {
        long millis = (long) (delay * (0.5 + random.getAsDouble() / 2));
        delay = Math.min(LONGEST, 2 * delay);
        return millis;
    }

    synchronized void reset() {
        delay = SHORTEST;
    }
}
