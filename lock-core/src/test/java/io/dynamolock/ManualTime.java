/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A monotonic clock and a wall clock that move when a test says so, together or apart. */
final class ManualTime extends Clock {

    private long nanos = 1_000_000_000_000L;
    private Instant wall = Instant.parse("2026-11-20T10:15:30.250Z");

    long nanos() {
        return nanos;
    }

    void pass(Duration time) {
        nanos += time.toNanos();
        wall = wall.plus(time);
    }

    /** Time goes on for everybody else, but the monotonic clock of a suspended machine stands still. */
    void stepWall(Duration step) {
        wall = wall.plus(step);
    }

    @Override
    public Instant instant() {
        return wall;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
