/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import java.time.Duration;
import java.util.function.LongSupplier;

/** What is left of a duration, by the manager's clock. */
final class Countdown {

    private final LongSupplier nanoTime;
    private final long startedNanos;
    private final Duration waitTime;

    Countdown(LongSupplier nanoTime, Duration waitTime) {
        Attempts.requireNotNegative(waitTime);
        this.nanoTime = nanoTime;
        this.startedNanos = nanoTime.getAsLong();
        this.waitTime = waitTime;
    }

    /** Returns the rest of the duration; zero if it has elapsed. */
    Duration remaining() {
        Duration remaining = waitTime.minus(Duration.ofNanos(nanoTime.getAsLong() - startedNanos));
        return remaining.isNegative() ? Duration.ZERO : remaining;
    }
}
