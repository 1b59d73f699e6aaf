/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.time.Duration;
import java.util.function.DoubleSupplier;

/**
 * Delays between the polls of a waiter: they grow with the time waited, so that a short wait ends quickly and a long
 * one costs little. If the end can be expected, they are longer at the beginning, and short around that end. Pure.
 *
 * @param min the shortest delay
 * @param max the longest delay
 * @param random numbers from 0 to 1
 */
public record PollBackoff(Duration min, Duration max, DoubleSupplier random) {

    /** A waiter notices a free lock late by at most this fraction of the time it has waited. */
    private static final double GROWTH = 0.3;

    /** Delays shrink to this fraction of the time to the expected end. */
    private static final double NEAR = 0.5;

    /** Spreads waiters that started together. */
    private static final double JITTER = 0.1;

    /** Returns the delay before the next poll, never longer than the longest delay. */
    public long delayNanos(long waitedNanos) {
        return jittered(waitedNanos * GROWTH);
    }

    /**
     * Returns the delay before the next poll if the wait is expected to end. Far from that end, a waiter is late by at
     * most the time it has waited.
     *
     * @param waitedNanos the time waited
     * @param remainingNanos the time to the expected end; negative after it
     */
    public long delayNanos(long waitedNanos, long remainingNanos) {
        double shortest = Durations.nanos(max) * GROWTH;
        return jittered(Math.min((double) waitedNanos, Math.max(Math.abs(remainingNanos) * NEAR, shortest)));
    }

    /** Whether to expect the end of a wait of this duration: shorter ones have short delays anyway. */
    public boolean isWorthExpecting(Duration wait) {
        return wait.compareTo(max) > 0;
    }

    private long jittered(double delayNanos) {
        double jitter = JITTER * (2 * random.getAsDouble() - 1);
        double growing = Math.max((double) Durations.nanos(min), delayNanos) * (1 + jitter);
        return (long) Math.min(growing, Durations.nanos(max) * (1 - JITTER + jitter));
    }

    /** Returns a moment shortly after one that many waiters may aim at. */
    public long shortlyAfterNanos(long momentNanos) {
        return momentNanos + (long) (Durations.nanos(min) * (JITTER * random.getAsDouble()));
    }
}
