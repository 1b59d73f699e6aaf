/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * When a lease's next renewal is due. Leases acquired together are spread over the second half of their first interval and
 * drift apart from then on; a failed renewal is retried soon, then less often, and always before the lease ends. Pure.
 *
 * @param interval from one renewal to the next, at most
 * @param random numbers from 0 to 1
 */
record BeatPlan(Duration interval, DoubleSupplier random) {

    private static final double FIRST_SPREAD = 0.5;
    private static final double SPREAD = 0.1;
    private static final double RETRY_SPREAD = 0.5;
    private static final long FIRST_RETRY_NANOS = 100_000_000;
    private static final int MOST_DOUBLINGS = 16;

    long firstDelayNanos() {
        return part(Durations.nanos(interval), FIRST_SPREAD);
    }

    long nextDelayNanos() {
        return part(Durations.nanos(interval), SPREAD);
    }

    /** The delay after a number of failures in a row: inside what remains of the lease. */
    long retryDelayNanos(int failures, long remainingNanos) {
        long doubled = FIRST_RETRY_NANOS << Math.min(failures - 1, MOST_DOUBLINGS);
        long wanted = part(Math.min(doubled, Durations.nanos(interval)), RETRY_SPREAD);
        return Math.min(wanted, remainingNanos / 2);
    }

    private long part(long nanos, double spread) {
        return (long) (nanos * (1 - spread * random.getAsDouble()));
    }
}
