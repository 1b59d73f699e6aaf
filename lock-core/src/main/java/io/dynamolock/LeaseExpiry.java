/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;

/**
 * Until when a holder may believe in its lease: it has ended as soon as one of three clocks has passed it. The monotonic clock
 * stands still while a machine is suspended, the wall clock can be set back, the common time can be unknown; together they
 * are early enough.
 *
 * <p>The monotonic clock may be all that is left, for a whole lease, so its end comes earlier by what that clock may be slow.
 *
 * @param nanos on the monotonic clock
 * @param wallMillis on the wall clock
 * @param commonMillis in the common time, as it stands in the row (less the grace)
 * @param time which common time that is
 */
record LeaseExpiry(long nanos, long wallMillis, long commonMillis, LeaseTime time) {

    /**
     * The end that a write gives, counted from before its first attempt was sent. Both clocks of this machine may be slow: the
     * wall clock may have the same oscillator, and is the only one that notices a suspension.
     */
    static LeaseExpiry after(ClockReading sent, Duration lease) {
        long millis = lease.toMillis();
        long nanos = Durations.nanos(lease);
        return new LeaseExpiry(
                sent.nanos() + nanos - Drift.within(nanos),
                sent.wallMillis() + millis - Drift.withinMillis(millis),
                sent.latestMillis() + millis,
                sent.time());
    }

    boolean isPast(ClockReading now) {
        return now.nanos() - nanos >= 0
                || now.wallMillis() >= wallMillis
                || (now.compares(time) && now.latestMillis() >= commonMillis);
    }

    /** Whether one of this machine's clocks has passed it by so much. */
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

    /** The same, but not after what the row says. */
    LeaseExpiry notAfter(long rowMillis) {
        long cut = Math.max(0, commonMillis - rowMillis);
        return cut == 0 ? this : new LeaseExpiry(nanos - cut * 1_000_000, wallMillis - cut, rowMillis, time);
    }

    Instant asInstant() {
        return Instant.ofEpochMilli(wallMillis);
    }

    Duration remaining(ClockReading now) {
        if (isPast(now)) {
            return Duration.ZERO;
        }
        Duration left =
                Durations.min(Duration.ofNanos(nanos - now.nanos()), Duration.ofMillis(wallMillis - now.wallMillis()));
        return now.compares(time) ? Durations.min(left, Duration.ofMillis(commonMillis - now.latestMillis())) : left;
    }
}
