/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

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
 */
record ClockReading(long nanos, long wallMillis, long earliestMillis, long latestMillis, LeaseTime time) {

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

    /** Whether ends told in this time can be compared with the edges at all. */
    boolean compares(@Nullable LeaseTime other) {
        return time != LeaseTime.OBSERVED && time == other;
    }
}
