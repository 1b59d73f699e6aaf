/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.IntervalClock;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One reading of all clocks.
 *
 * @param nanos the monotonic clock
 * @param wallMillis the wall clock
 * @param earliestMillis lower bound of the common time
 * @param latestMillis upper bound of the common time
 * @param time which common time that is; {@link LeaseTime#OBSERVED} means that there is none and the bounds are for
 *     display only
 * @param storeMillis upper bound of the store's time, whichever time the leases go by, or
 *     {@link IntervalClock#UNKNOWN}
 */
record ClockReading(
        long nanos, long wallMillis, long earliestMillis, long latestMillis, LeaseTime time, long storeMillis) {

    /** Creates a reading whose store time is known only if it is the common time. */
    ClockReading(long nanos, long wallMillis, long earliestMillis, long latestMillis, LeaseTime time) {
        this(
                nanos,
                wallMillis,
                earliestMillis,
                latestMillis,
                time,
                time == LeaseTime.SERVER ? latestMillis : IntervalClock.UNKNOWN);
    }

    /** Creates a reading of this machine's own clocks, without a common time. */
    static ClockReading ofMachine(long nanos, Instant wall) {
        long millis = wall.toEpochMilli();
        return new ClockReading(nanos, millis, millis, millis, LeaseTime.OBSERVED);
    }

    Instant wall() {
        return Instant.ofEpochMilli(wallMillis);
    }

    /** Returns the midpoint of the bounds of the common time, for display and for times that are only recorded. */
    Instant middle() {
        return Instant.ofEpochMilli(middleMillis());
    }

    long middleMillis() {
        return earliestMillis + (latestMillis - earliestMillis) / 2;
    }

    /**
     * Returns by how much the wall clock has moved relative to the monotonic clock, in nanoseconds: for example by the
     * time this machine was suspended.
     */
    long wallShiftSince(ClockReading earlier) {
        return (wallMillis - earlier.wallMillis) * 1_000_000 - (nanos - earlier.nanos);
    }

    /** Adds a response that was received at this reading to what is known of the store's time. */
    IntervalClock addTo(IntervalClock known, ClockReading sent, @Nullable Instant date) {
        return date == null
                ? known.withUndatedResponse(nanos, wall())
                : known.withSample(sent.nanos, nanos, wallShiftSince(sent), date, wall());
    }

    /** Returns the upper bound of the store's time; null if the store's time is unknown. */
    @Nullable
    Instant latestStoreTime() {
        return latestStoreTimeAfter(Duration.ZERO);
    }

    /** Returns the upper bound of the store's time after a further duration; null if the store's time is unknown. */
    @Nullable
    Instant latestStoreTimeAfter(Duration elapsed) {
        return storeMillis == IntervalClock.UNKNOWN ? null : Instant.ofEpochMilli(storeMillis + elapsed.toMillis());
    }

    /** Whether an expiry in this time can be compared with the bounds at all. */
    boolean isComparableTo(@Nullable LeaseTime other) {
        return time != LeaseTime.OBSERVED && time == other;
    }
}
