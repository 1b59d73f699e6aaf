/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

/**
 * Bounds the drift of a monotonic clock against true time, which is the store's: 500 ppm. Each process allows for its
 * own clock only: a holder treats its lease as shorter than it is, a process that waits for a lease to end treats it as
 * longer.
 */
public final class Drift {

    private static final long PARTS = 2_000;

    private Drift() {}

    /**
     * Returns the most that a monotonic clock gains or loses while it measures the given time; rounded up, since many
     * short times add up to a long one.
     */
    public static long allowance(long nanos) {
        return (nanos + PARTS - 1) / PARTS;
    }

    /**
     * Returns the allowance for a clock that counts whole milliseconds, rounded down: a process that waits for an end
     * to pass waits a millisecond longer anyway.
     */
    public static long allowanceMillis(long millis) {
        return millis / PARTS;
    }
}
