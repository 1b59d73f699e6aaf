/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * When a waiter looks again: the gap grows with the time waited, so that a short wait is served quickly and a long one costs
 * little. Pure.
 *
 * @param min the shortest gap
 * @param max the longest gap
 * @param random numbers from 0 to 1
 */
record PollBackoff(Duration min, Duration max, DoubleSupplier random) {

    /** A waiter is late by at most this part of the time it has waited. */
    private static final double GROWTH = 0.3;

    /** Waiters that started together drift apart. */
    private static final double JITTER = 0.1;

    /** Never longer than the longest gap. */
    long gapNanos(long waitedNanos) {
        double drift = JITTER * (2 * random.getAsDouble() - 1);
        double growing = Math.max((double) Durations.nanos(min), waitedNanos * GROWTH) * (1 + drift);
        return (long) Math.min(growing, Durations.nanos(max) * (1 - JITTER + drift));
    }

    /** A little after a moment that many may aim at. */
    long afterNanos(long momentNanos) {
        return momentNanos + (long) (Durations.nanos(min) * (JITTER * random.getAsDouble()));
    }
}
