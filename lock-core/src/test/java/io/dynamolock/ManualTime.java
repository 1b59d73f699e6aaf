/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;

/** A wall clock and a monotonic clock that only tests advance. Threads still wait in real time. */
public final class ManualTime extends UtcClock {

    private long nanos = 1_000_000_000_000L;
    private Instant wall;
    private Duration pauseBeforeReading = Duration.ZERO;
    private int readingsLeft;
    private Runnable atReading = () -> {};

    ManualTime() {
        this(Instant.parse("2026-11-20T10:15:30.250Z"));
    }

    /** Starts at a wall clock time. */
    public ManualTime(Instant wall) {
        this.wall = wall;
    }

    /** Returns the clocks of another process, which are behind these. */
    public ManualTime behindBy(Duration difference) {
        return new ManualTime(instant().minus(difference));
    }

    /** Makes a manager use these clocks only. */
    public void applyTo(LockManagerBuilder settings) {
        settings.time(LeaseTime.SYSTEM).clock(this).nanoTime(this::nanos);
    }

    synchronized long nanos() {
        pass(pauseBeforeReading);
        if (--readingsLeft == 0) {
            atReading.run();
        }
        return nanos;
    }

    /** Runs an action during one of the next readings of the monotonic clock, the first of which is number 1. */
    synchronized void atReading(int number, Runnable action) {
        readingsLeft = number;
        atReading = action;
    }

    /** Pauses the process before each reading of its monotonic clock, as when it is starved of processor time. */
    synchronized void pauseBeforeReadings(Duration pause) {
        pauseBeforeReading = pause;
    }

    /** Advances both clocks. */
    public synchronized void pass(Duration time) {
        nanos += time.toNanos();
        wall = wall.plus(time);
    }

    /** Suspends the machine: its wall clock advances, its monotonic clock does not. */
    synchronized void stepWall(Duration step) {
        wall = wall.plus(step);
    }

    @Override
    public synchronized Instant instant() {
        return wall;
    }
}
