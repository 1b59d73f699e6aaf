/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;

/** A monotonic clock and a wall clock that tests advance, together or separately. */
final class ManualTime extends UtcClock {

    private long nanos = 1_000_000_000_000L;
    private Instant wall = Instant.parse("2026-11-20T10:15:30.250Z");

    long nanos() {
        return nanos;
    }

    void pass(Duration time) {
        nanos += time.toNanos();
        wall = wall.plus(time);
    }

    /** Suspends the machine: its wall clock advances, its monotonic clock does not. */
    void stepWall(Duration step) {
        wall = wall.plus(step);
    }

    @Override
    public Instant instant() {
        return wall;
    }
}
