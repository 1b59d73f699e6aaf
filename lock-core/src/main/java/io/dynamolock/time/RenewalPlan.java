/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Schedule of a lease's renewals. Leases acquired together are spread over the second half of their first interval and
 * diverge from then on. The first retry of a failed renewal comes soon, the next ones about as often as regular
 * renewals, and always before the lease ends. While the store responds to no request, a manager of many leases sends no
 * more requests than regular renewals would; the first response triggers the renewal of the others. Pure.
 *
 * @param interval the shortest time from one regular renewal to the next, but for the first
 * @param random numbers from 0 to 1
 */
public record RenewalPlan(Duration interval, DoubleSupplier random) {

    private static final double FIRST_JITTER = 0.5;
    private static final double JITTER = 0.1;
    private static final double RETRY_JITTER = 0.5;
    private static final long FIRST_RETRY_NANOS = 100_000_000;

    /** A retry comes after a quarter to three quarters of the remaining time, at the latest. */
    private static final double RETRY_LIMIT = 0.75;

    /**
     * This many leases or more probe an unavailable store no more often than they would be renewed; fewer leases probe
     * as often as this many.
     */
    private static final double MIN_PROBING_LEASES = 10;

    private static final double RETRY_LIMIT_JITTER = 2.0 / 3;

    /**
     * A probe comes at the latest after this part of the remaining time: hardly any lease ends unprobed, or is probed
     * more often.
     */
    private static final double LATEST_PROBE = 0.95;

    /**
     * Returns the delay after an acquisition or a change of the lease duration: many leases may do the same at this
     * moment. It lies within the remaining time of the lease, which is shorter than usual if the response took long.
     */
    public long firstDelayNanos(long remainingNanos) {
        return Math.min(jittered(Durations.nanos(interval), FIRST_JITTER), latestRetryNanos(remainingNanos));
    }

    /**
     * Returns the delay after a renewal that has succeeded. It lies within the remaining time of the lease, which is
     * shorter than usual if the holder's renewal for a longer duration has failed meanwhile.
     */
    public long nextDelayNanos(long remainingNanos) {
        long regular = (long) (Durations.nanos(interval) * (1 + JITTER * random.getAsDouble()));
        return remainingNanos > 0 ? Math.min(regular, latestRetryNanos(remainingNanos)) : regular;
    }

    /** Returns the delay after a number of consecutive failures, within the remaining time of the lease. */
    public long retryDelayNanos(int failures, long remainingNanos) {
        long regular = Durations.nanos(interval);
        long wanted = jittered(failures == 1 ? Math.min(FIRST_RETRY_NANOS, regular) : regular, RETRY_JITTER);
        return Math.min(wanted, jittered(latestRetryNanos(remainingNanos), RETRY_LIMIT_JITTER));
    }

    /** Returns the delay after a failure while the store responds for none of the leases: within the remaining time. */
    public long probeDelayNanos(int leases, long remainingNanos) {
        long regular = jittered(Durations.nanos(interval), JITTER);
        long wanted = (long) (regular * Math.min(1, leases / MIN_PROBING_LEASES));
        return Math.min(wanted, latestProbeNanos(remainingNanos));
    }

    static long latestProbeNanos(long remainingNanos) {
        return (long) (Math.max(0, remainingNanos) * LATEST_PROBE);
    }

    public static long latestRetryNanos(long remainingNanos) {
        return (long) (Math.max(0, remainingNanos) * RETRY_LIMIT);
    }

    private long jittered(long nanos, double jitter) {
        return (long) (nanos * (1 - jitter * random.getAsDouble()));
    }
}
