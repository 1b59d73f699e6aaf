/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Instant;

/**
 * The clocks of one process, driven by the true time: a monotonic one with drift that stops while the machine is suspended,
 * and a wall clock that may be wrong and may be set.
 */
final class SimClocks extends UtcClock {

    private static final long MILLION = 1_000_000;

    private final SimScheduler time;
    private final long start;
    private final long first;
    private final long ratePpm;
    private final long wallRatePpm;
    private long wallOffset;
    private int wallSteps;
    private long lastStep;
    private long monotonicPaused;
    private long wallPaused;
    private long pausedFrom;
    private long pausedUntil;
    private boolean wallFrozen;
    private Runnable read = () -> {};

    SimClocks(SimScheduler time, long first, long ratePpm, long wallRatePpm, long wallOffset) {
        this.time = time;
        this.start = time.now();
        this.first = first;
        this.ratePpm = ratePpm;
        this.wallRatePpm = wallRatePpm;
        this.wallOffset = wallOffset;
    }

    /** Called before the process reads a clock. */
    void onRead(Runnable hook) {
        read = hook;
    }

    long nanos() {
        read.run();
        return monotonic();
    }

    @Override
    public Instant instant() {
        read.run();
        long nanos = wallNanos();
        return Instant.ofEpochSecond(nanos / 1_000_000_000, nanos % 1_000_000_000);
    }

    long monotonic() {
        long ran = time.now() - start - monotonicPaused - pausedNanos();
        return first + ran + (long) (ran * (ratePpm * 1e-6));
    }

    private long wallNanos() {
        long gained = wallRatePpm == 0 ? 0 : (long) ((time.now() - start) * (wallRatePpm * 1e-6));
        return time.now() + gained + wallOffset - wallPaused - (wallFrozen ? pausedNanos() : 0);
    }

    /** Reads all clocks without side effects, to check lease states. */
    long wallMillis() {
        return Math.floorDiv(wallNanos(), MILLION);
    }

    /** Returns the true time at which the monotonic clock will show this value unless it stops. */
    long momentOf(long nanos) {
        long left = Math.max(0, nanos - monotonic());
        return time.now() + (long) (left / (1 + ratePpm * 1e-6)) + 2;
    }

    void stepWall(long step) {
        wallOffset += step;
        wallSteps++;
        lastStep = time.now();
    }

    int wallSteps() {
        return wallSteps;
    }

    /** Returns when the wall clock was last set. */
    long lastStep() {
        return lastStep;
    }

    long wallOffset() {
        return wallOffset;
    }

    /** Suspends the machine: the monotonic clock stops, and the wall clock too if it is frozen. */
    void pauseProcess(long until, boolean frozen) {
        long before = pausedNanos();
        monotonicPaused += before;
        wallPaused += wallFrozen ? before : 0;
        pausedFrom = time.now();
        pausedUntil = until;
        wallFrozen = frozen;
    }

    private long pausedNanos() {
        return Math.max(0, Math.min(time.now(), pausedUntil) - pausedFrom);
    }
}
