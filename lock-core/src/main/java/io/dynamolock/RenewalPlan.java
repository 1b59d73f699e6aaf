/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * When a lease's next renewal is due. Leases acquired together are spread over the second half of their first interval and
 * drift apart from then on. A failed renewal is retried once soon, then about as often as it would be renewed, and always
 * before the lease ends. While the store answers nobody, a manager of many leases sends no more than it would renew: the first
 * that is answered calls the others. Pure.
 *
 * @param interval from one renewal to the next, at most
 * @param random numbers from 0 to 1
 */
record RenewalPlan(Duration interval, DoubleSupplier random) {

    private static final double FIRST_SPREAD = 0.5;
    private static final double SPREAD = 0.1;
    private static final double RETRY_SPREAD = 0.5;
    private static final long FIRST_RETRY_NANOS = 100_000_000;

    /** A retry comes after a quarter to three quarters of what remains, at the latest. */
    private static final double RETRY_LIMIT = 0.75;

    /** So many leases or more probe a store that is away no more often than they would be renewed; fewer probe as often as these. */
    private static final double PROBES = 10;

    private static final double RETRY_LIMIT_SPREAD = 2.0 / 3;

    /**
     * The delay after an acquisition, and after a renewal that had failed before: many may do the same at this moment. Inside
     * what remains of the lease, which is less than usual if its answer took long.
     */
    long firstDelayNanos(long remainingNanos) {
        return Math.min(part(Durations.nanos(interval), FIRST_SPREAD), latestRetry(remainingNanos));
    }

    long nextDelayNanos() {
        return part(Durations.nanos(interval), SPREAD);
    }

    /** The delay after a number of failures in a row: inside what remains of the lease. */
    long retryDelayNanos(int failures, long remainingNanos) {
        long regular = Durations.nanos(interval);
        long wanted = part(failures == 1 ? Math.min(FIRST_RETRY_NANOS, regular) : regular, RETRY_SPREAD);
        return Math.min(wanted, part(latestRetry(remainingNanos), RETRY_LIMIT_SPREAD));
    }

    /** The delay after a failure while the store answers none of a number of leases. */
    long probeDelayNanos(int leases) {
        return (long) (nextDelayNanos() * Math.min(1, leases / PROBES));
    }

    static long latestRetry(long remainingNanos) {
        return (long) (Math.max(0, remainingNanos) * RETRY_LIMIT);
    }

    private long part(long nanos, double spread) {
        return (long) (nanos * (1 - spread * random.getAsDouble()));
    }
}
