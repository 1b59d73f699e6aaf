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
import java.util.ArrayList;
import java.util.List;

/** The clocks of the processes of a {@link Scope}, read at any tick. The store's time is given; wall clocks are the real thing. */
final class ScopeClocks {

    private static final long START_NANOS = Long.MAX_VALUE - 3_000_000;
    private static final long START_MILLIS = 1_790_000_000_000L;

    private final Scope scope;
    private final List<WallLeaseClock> walls = new ArrayList<>();
    private final Dial dial = new Dial();

    ScopeClocks(Scope scope) {
        this.scope = scope;
        Duration skew = Duration.ofMillis(2L * scope.halfWidth());
        for (LeaseTime time : scope.times()) {
            walls.add(new WallLeaseClock(dial, () -> dial.nanos, skew, time, new LockListener() {}));
        }
    }

    /**
     * Reads the clocks of one process.
     *
     * @param process which
     * @param tick the true time
     * @param stoodStill for how many ticks it stood still
     * @param skew which of the scope's offsets are tried
     */
    ClockReading read(int process, int tick, int stoodStill, int skew) {
        dial.nanos = nanos(tick - stoodStill);
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

    static long millis(long tick) {
        return START_MILLIS + tick;
    }

    static long tickOfMillis(long millis) {
        return millis - START_MILLIS;
    }

    /** A wall clock and a monotonic clock that are set before each reading. */
    private static final class Dial extends Clock {

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

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
