/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.time.Duration;

/**
 * Schedule of renewals after a store outage: in the order of the leases' ends, evenly, at one and a half times the
 * usual rate, but always before three quarters of the remaining time of a lease have passed. Pure. Not safe for use by
 * several threads.
 */
public final class RecoverySchedule {

    private static final double RATE_FACTOR = 1.5;

    private final long now;
    private final int leases;
    private double offset;

    public RecoverySchedule(long nowNanos, int leases) {
        this.now = nowNanos;
        this.leases = leases;
    }

    /** Returns the moment for the next lease. */
    public long nextNanos(Duration interval, long endNanos) {
        offset += Durations.nanos(interval) / (RATE_FACTOR * leases);
        return now + Math.min((long) offset, RenewalPlan.latestRetryNanos(endNanos - now));
    }
}
