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
record PollPlan(Duration min, Duration max, DoubleSupplier random) {

    /** A waiter is late by at most this part of the time it has waited. */
    private static final double GROWTH = 0.3;

    /** Waiters that started together drift apart. */
    private static final double JITTER = 0.1;

    long gapNanos(long waitedNanos) {
        double wanted =
                Math.max((double) Durations.nanos(min), Math.min(waitedNanos * GROWTH, (double) Durations.nanos(max)));
        return (long) (wanted * (1 - JITTER + 2 * JITTER * random.getAsDouble()));
    }

    /** A little after a moment that many may aim at. */
    long afterNanos(long momentNanos) {
        return momentNanos + (long) (Durations.nanos(min) * (JITTER * random.getAsDouble()));
    }
}
