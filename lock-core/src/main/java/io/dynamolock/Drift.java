/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * How far a monotonic clock may run off the true time, which is the store's: 500 ppm. Each process allows for its own clock
 * only: who holds a lease takes it for shorter than it is, who waits for one to end takes it for longer.
 */
final class Drift {

    private static final long PARTS = 2_000;

    private Drift() {}

    /** The most that a monotonic clock gains or loses while it shows so much; rounded up, as many short times make a long one. */
    static long within(long nanos) {
        return (nanos + PARTS - 1) / PARTS;
    }

    /**
     * The same for a clock that shows whole milliseconds, rounded down: whoever waits for an end to pass waits a millisecond
     * longer anyway.
     */
    static long withinMillis(long millis) {
        return millis / PARTS;
    }
}
