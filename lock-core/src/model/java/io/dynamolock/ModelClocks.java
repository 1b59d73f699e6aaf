/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.IntervalClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * The clocks of the processes of a {@link ModelBounds}, read at any tick: the library's own. The store's time is given,
 * unless the scope says that processes learn it from dates.
 */
final class ModelClocks {

    private static final long START_NANOS = Long.MAX_VALUE - 3_000_000;
    private static final long START_MILLIS = 1_790_000_000_000L;

    private final ModelBounds scope;
    /** The store's time is so far ahead that no edge of it is before the start. */
    private static final int STORE_AHEAD = 10_000;

    /** What is to be added to the monotonic clock: to have the wall clock, and about the store's time. */
    static final long WALL_OFFSET = START_MILLIS * 1_000_000 - START_NANOS;

    static final long STORE_OFFSET = WALL_OFFSET + STORE_AHEAD * 1_000_000L;
    static final long START_SECOND = START_MILLIS / 1_000;

    private final LockListener noListener = new LockListener() {};
    private final List<WallLeaseClock> walls = new ArrayList<>();
    private final Dial dial = new Dial();

    ModelClocks(ModelBounds scope) {
        this.scope = scope;
        Duration skew = Duration.ofMillis(2L * scope.halfWidth());
        for (LeaseTime time : scope.times()) {
            walls.add(new WallLeaseClock(dial, () -> dial.nanos, skew, time, noListener));
        }
    }

    /** Returns a process's knowledge of the store's time before the first sample. */
    IntervalClock unknown() {
        return IntervalClock.empty(Duration.ofMillis(2L * scope.halfWidth()));
    }

    /** Reads the clocks of a process that knows this of the store's time. */
    ClockReading read(int process, int tick, int paused, IntervalClock known) {
        return server(process, tick, paused, known).now();
    }

    /** Whether a process that knows this of the store's time may write an end. */
    boolean isReady(int process, int tick, int paused, IntervalClock known) {
        return server(process, tick, paused, known).isReady();
    }

    /** Returns its knowledge after a response with this date to a request sent at these clock readings. */
    IntervalClock sampled(int process, int tick, int paused, IntervalClock known, ClockReading sent, Instant date) {
        ServerLeaseClock clock = server(process, tick, paused, known);
        ClockReading now = clock.now();
        clock.onResponse(sent, now, date);
        return clock.interval();
    }

    /** A clock that gains does so in the leaps; what it shows is always a whole number of ticks. */
    private ServerLeaseClock server(int process, int tick, int paused, IntervalClock known) {
        int gained = scope.leapsAt(tick) * scope.gainOf(process);
        dial.nanos = nanos((long) tick + gained - paused);
        dial.millis = START_MILLIS + tick + gained;
        return new ServerLeaseClock(dial, () -> dial.nanos, known, noListener);
    }

    /** Returns the date of a response to a process. */
    Instant date(int process, int tick, int skew) {
        long millis =
                START_MILLIS + STORE_AHEAD + tick + scope.offsets().get(skew).get(process);
        return Instant.ofEpochSecond(Math.floorDiv(millis, 1_000L));
    }

    /**
     * Reads the clocks of one process.
     *
     * @param process which
     * @param tick the true time
     * @param paused for how many ticks it was paused
     * @param skew which of the scope's offsets are tried
     */
    ClockReading read(int process, int tick, int paused, int skew) {
        dial.nanos = nanos(tick - paused);
        dial.millis = START_MILLIS + tick + scope.offsets().get(skew).get(process);
        if (scope.times().get(process) != LeaseTime.SERVER) {
            return walls.get(process).now();
        }
        long early = dial.millis - scope.halfWidth();
        return new ClockReading(
                dial.nanos, START_MILLIS - 1_000 + tick, early, early + 2L * scope.halfWidth(), LeaseTime.SERVER);
    }

    static long nanos(long tick) {
        return START_NANOS + tick * 1_000_000;
    }

    static long tickOfNanos(long nanos) {
        long past = nanos - START_NANOS;
        if (past % 1_000_000 != 0) {
            throw new IllegalStateException("Not a whole tick: " + past + " ns");
        }
        return past / 1_000_000;
    }

    /** The first tick at which a moment is past: an end may lie between two, where no clock is ever read. */
    static long tickAtOrAfter(long nanos) {
        return Math.floorDiv(nanos - START_NANOS + 999_999, 1_000_000L);
    }

    /** The beginning of the tick that a moment is in. */
    static long startOfTick(long nanos) {
        return nanos - Math.floorMod(nanos - START_NANOS, 1_000_000L);
    }

    static long millis(long tick) {
        return START_MILLIS + tick;
    }

    static long tickOfMillis(long millis) {
        return millis - START_MILLIS;
    }

    /** A wall clock and a monotonic clock that are set before each reading. */
    private static final class Dial extends UtcClock {

        private long nanos;
        private long millis;

        @Override
        public long millis() {
            return millis;
        }

        @Override
        public Instant instant() {
            return Instant.ofEpochMilli(millis);
        }
    }
}
