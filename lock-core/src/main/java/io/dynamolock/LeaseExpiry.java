/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Drift;
import io.dynamolock.time.Durations;
import java.time.Duration;
import java.time.Instant;

/**
 * When a lease expires for its holder: as soon as one of three clocks has passed the end. The monotonic clock stops
 * while a machine is suspended, the wall clock can be set back, the common time can be unknown; together they are early
 * enough.
 *
 * <p>The monotonic clock may be the only one left, for a whole lease, so its end is earlier by the amount that this
 * clock may be slow.
 *
 * @param nanos on the monotonic clock
 * @param wallMillis on the wall clock
 * @param commonMillis in the common time, as in the row (less the lock delay)
 * @param time which common time that is
 */
record LeaseExpiry(long nanos, long wallMillis, long commonMillis, LeaseTime time) {

    /**
     * Returns the end that a write gives, counted from before its first attempt was sent. Both clocks of this machine
     * may be slow: the wall clock may use the same oscillator, and is the only one that notices a suspension.
     */
    static LeaseExpiry after(ClockReading sent, Duration leaseDuration) {
        long millis = leaseDuration.toMillis();
        long nanos = Durations.nanos(leaseDuration);
        return new LeaseExpiry(
                sent.nanos() + nanos - Drift.allowance(nanos),
                sent.wallMillis() + millis - Drift.allowanceMillis(millis),
                sent.latestMillis() + millis,
                sent.time());
    }

    boolean isPast(ClockReading now) {
        return now.nanos() - nanos >= 0
                || now.wallMillis() >= wallMillis
                || (now.isComparableTo(time) && now.latestMillis() >= commonMillis);
    }

    /** Whether one of this machine's clocks has passed the end by more than the given time. */
    boolean isPastBy(ClockReading now, Duration time) {
        return now.nanos() - nanos > Durations.nanos(time) || now.wallMillis() - wallMillis > time.toMillis();
    }

    LeaseExpiry earlier(LeaseExpiry other) {
        return new LeaseExpiry(
                nanos - other.nanos <= 0 ? nanos : other.nanos,
                Math.min(wallMillis, other.wallMillis),
                time == other.time ? Math.min(commonMillis, other.commonMillis) : other.commonMillis,
                other.time);
    }

    /** Returns this expiry, but not after the end in the row. */
    LeaseExpiry notAfter(long rowMillis) {
        long reduction = Math.max(0, commonMillis - rowMillis);
        return reduction == 0
                ? this
                : new LeaseExpiry(nanos - reduction * 1_000_000, wallMillis - reduction, rowMillis, time);
    }

    Instant asInstant() {
        return Instant.ofEpochMilli(wallMillis);
    }

    Duration remaining(ClockReading now) {
        if (isPast(now)) {
            return Duration.ZERO;
        }
        Duration remaining =
                Durations.min(Duration.ofNanos(nanos - now.nanos()), Duration.ofMillis(wallMillis - now.wallMillis()));
        return now.isComparableTo(time)
                ? Durations.min(remaining, Duration.ofMillis(commonMillis - now.latestMillis()))
                : remaining;
    }
}
