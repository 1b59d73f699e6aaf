/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Clock;
import java.time.Instant;
import java.util.function.LongSupplier;

/** Tells within which bounds the common time lies, on top of the monotonic clock. */
interface LeaseClock {

    ClockReading now();

    long nanos();

    /**
     * Learns from an answer of the store.
     *
     * @param sentNanos not after the request was sent
     * @param receivedNanos not before the answer was there
     * @param date what the answer said, in whole seconds
     */
    void sample(long sentNanos, long receivedNanos, Instant date);

    /** Whether it knows enough to write an end into a row; if not, any answer of the store helps. */
    boolean isReady();

    static LeaseClock of(LockSettings settings, Clock wall, LongSupplier nanoTime) {
        return new WallLeaseClock(wall, nanoTime, settings.maxClockSkew(), settings.time());
    }
}
