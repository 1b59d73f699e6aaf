/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;

/**
 * When leases are renewed after the store was away: in the order of their ends, evenly, at one and a half times the usual rate,
 * but always before three quarters of what remains of a lease are over. Pure. Not safe for use by several threads.
 */
final class RecoverySchedule {

    private static final double HASTE = 1.5;

    private final long now;
    private final int leases;
    private double offset;

    RecoverySchedule(long nowNanos, int leases) {
        this.now = nowNanos;
        this.leases = leases;
    }

    /** The moment for the next lease. */
    long next(Duration interval, long endNanos) {
        offset += Durations.nanos(interval) / (HASTE * leases);
        return now + Math.min((long) offset, RenewalPlan.latestRetry(endNanos - now));
    }
}
