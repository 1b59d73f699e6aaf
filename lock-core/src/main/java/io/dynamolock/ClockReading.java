/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * All clocks read at one moment.
 *
 * @param nanos the monotonic clock
 * @param wallMillis the wall clock
 * @param earliestMillis the common time is surely not before this
 * @param latestMillis the common time is surely not after this
 * @param time which common time that is; {@link LeaseTime#OBSERVED} means that there is none and the edges are for display
 * @param storeMillis the store's time is not after this, whichever time the leases go by; null if nothing is known of it
 */
record ClockReading(
        long nanos,
        long wallMillis,
        long earliestMillis,
        long latestMillis,
        LeaseTime time,
        @Nullable Long storeMillis) {

    /** A reading that knows the store's time only if that is the common time. */
    ClockReading(long nanos, long wallMillis, long earliestMillis, long latestMillis, LeaseTime time) {
        this(
                nanos,
                wallMillis,
                earliestMillis,
                latestMillis,
                time,
                time == LeaseTime.SERVER ? (Long) latestMillis : null);
    }

    /** A reading of this machine's own clocks, which know no common time. */
    static ClockReading ofMachine(long nanos, Instant wall) {
        long millis = wall.toEpochMilli();
        return new ClockReading(nanos, millis, millis, millis, LeaseTime.OBSERVED);
    }

    Instant wall() {
        return Instant.ofEpochMilli(wallMillis);
    }

    /** The best guess at the common time, for what is only shown or kept. */
    Instant middle() {
        return Instant.ofEpochMilli(middleMillis());
    }

    long middleMillis() {
        return earliestMillis + (latestMillis - earliestMillis) / 2;
    }

    /** How far the wall clock has moved against the monotonic one: by as long as this machine was suspended, for example. */
    long movedSince(ClockReading earlier) {
        return (wallMillis - earlier.wallMillis) * 1_000_000 - (nanos - earlier.nanos);
    }

    /** The latest that the store's time can be; null if nothing is known of it. */
    @Nullable
    Instant storeNow() {
        return storeAfter(Duration.ZERO);
    }

    /** The latest that the store's time can be when so much more has passed; null if nothing is known of it. */
    @Nullable
    Instant storeAfter(Duration time) {
        return storeMillis == null ? null : Instant.ofEpochMilli(storeMillis + time.toMillis());
    }

    /** Whether ends told in this time can be compared with the edges at all. */
    boolean compares(@Nullable LeaseTime other) {
        return time != LeaseTime.OBSERVED && time == other;
    }
}
