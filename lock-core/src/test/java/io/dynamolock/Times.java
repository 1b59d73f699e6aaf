/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;

/**
 * Readings of clocks that agree, in milliseconds since an arbitrary start. The monotonic clock is about to overflow, as it
 * may on a real machine.
 */
final class Times {

    static final long START_NANOS = Long.MAX_VALUE - 5_000_000_000L;
    static final long START_MILLIS = 1_790_000_000_000L;
    static final long HALF_SKEW = 500;

    private Times() {}

    static ClockReading at(long millis) {
        return at(millis, LeaseTime.SYSTEM);
    }

    static ClockReading at(long millis, LeaseTime time) {
        return at(millis, Duration.ZERO, time);
    }

    /** Returns the same moment after the wall clock was set. */
    static ClockReading at(long millis, Duration wallStep, LeaseTime time) {
        long wall = START_MILLIS + millis + wallStep.toMillis();
        return new ClockReading(nanos(millis), wall, wall - HALF_SKEW, wall + HALF_SKEW, time);
    }

    /** Returns the remaining time of a lease for its holder, whose clocks may be slow. */
    static Duration heldFor(Duration lease) {
        return lease.minus(lease.dividedBy(2_000));
    }

    static Instant instant(long millis) {
        return Instant.ofEpochMilli(START_MILLIS + millis);
    }

    static long nanos(long millis) {
        return START_NANOS + millis * 1_000_000;
    }
}
