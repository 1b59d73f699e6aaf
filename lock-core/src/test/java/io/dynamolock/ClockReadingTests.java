/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pauses of a process and suspensions of its machine between two clock reads. */
class ClockReadingTests {

    private static final LockSettings SERVER = Node.settings(Duration.ofSeconds(30), LeaseTime.SERVER);

    /** The wall clock of the machine is correct: it equals the store's time. */
    private final ManualTime time = new ManualTime();

    private Duration pause = Duration.ZERO;
    private boolean inSuspension;
    private final LeaseClock clock = LeaseClock.of(SERVER, new Interrupted(), time::nanos, new LockListener() {});

    /** Pauses the process before each read of the wall clock, after the monotonic clock was read. */
    private final class Interrupted extends Clock {

        @Override
        public Instant instant() {
            pauseProcess(pause, inSuspension);
            pause = Duration.ZERO;
            return time.instant();
        }

        @Override
        public ZoneId getZone() {
            return time.getZone();
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private void pauseProcess(Duration length, boolean suspended) {
        if (suspended) {
            time.stepWall(length);
        } else {
            time.pass(length);
        }
    }

    private ClockReading readWith(String here, String where, int millis, boolean suspended) {
        inSuspension = suspended;
        pause = here.equals(where) ? Duration.ofMillis(millis) : Duration.ZERO;
        return clock.now();
    }

    @ParameterizedTest
    @CsvSource({"sent", "received", "learned", "read", "later"})
    void isSafeAgainstPauseOrSuspensionBetweenReads(String where) {
        for (int millis : new int[] {1, 100, 300, 499, 501, 900, 1_400, 3_000}) {
            for (int again : new int[] {0, 1, 100, 300, 499, 501, 1_400, 3_000}) {
                readAround(where, millis, again, true);
                readAround(where, millis, again, false);
            }
        }
    }

    private void readAround(String where, int millis, int again, boolean suspended) {
        ClockReading sent = readWith("sent", where, millis, suspended);
        Instant date = time.instant().truncatedTo(ChronoUnit.SECONDS);
        ClockReading received = readWith("received", where, millis, suspended);
        if (where.equals("learned")) {
            pauseProcess(Duration.ofMillis(millis), suspended);
        }
        clock.onResponse(sent, received, date);
        requireTrueTimeInside(readWith("read", where, millis, suspended));
        pauseProcess(Duration.ofMillis(again), true);
        requireTrueTimeInside(readWith("later", where, millis, suspended));
    }

    private void requireTrueTimeInside(ClockReading now) {
        if (now.time() == LeaseTime.SERVER) {
            assertThat(time.millis()).isBetween(now.earliestMillis(), now.latestMillis());
        }
    }
}
