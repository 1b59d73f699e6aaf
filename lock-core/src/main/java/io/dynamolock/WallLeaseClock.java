/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/** The wall clock, give or take half of the allowed skew; or no common time at all. Needs no samples. */
record WallLeaseClock(Clock wall, LongSupplier nanoTime, Duration maxSkew, LeaseTime time) implements LeaseClock {

    @Override
    public ClockReading now() {
        long nanos = nanos();
        long millis = wall.millis();
        long half = maxSkew.toMillis() / 2;
        return new ClockReading(nanos, millis, millis - half, millis + half, time);
    }

    @Override
    public long nanos() {
        return nanoTime.getAsLong();
    }

    @Override
    public void sample(long sentNanos, long receivedNanos, Instant date) {
        // the wall clock is the assumption here, the store's date does not change it
    }

    @Override
    public boolean isReady() {
        return true;
    }
}
