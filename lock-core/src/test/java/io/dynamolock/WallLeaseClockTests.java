/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WallLeaseClockTests {

    private final ManualTime time = new ManualTime();

    private final List<Duration> reported = new ArrayList<>();
    private final LockListener listener = new LockListener() {
        @Override
        public void onClockSample(Duration skew, Duration width) {
            reported.add(skew);
            reported.add(width);
        }
    };

    private LeaseClock clock(Duration skew, LeaseTime leaseTime) {
        return new WallLeaseClock(time, time::nanos, skew, leaseTime, listener);
    }

    @Test
    void addsHalfTheSkewOnEachSide() {
        ClockReading now = clock(Duration.ofSeconds(1), LeaseTime.SYSTEM).now();

        long wall = time.millis();
        assertThat(now).isEqualTo(new ClockReading(time.nanos(), wall, wall - 500, wall + 500, LeaseTime.SYSTEM));
        assertThat(now.middleMillis()).isEqualTo(wall);
    }

    @Test
    void readsBothClocksEachTime() {
        LeaseClock clock = clock(Duration.ZERO, LeaseTime.SYSTEM);
        ClockReading before = clock.now();

        time.pass(Duration.ofSeconds(2));
        time.stepWall(Duration.ofHours(-1));

        assertThat(clock.nanos() - before.nanos()).isEqualTo(2_000_000_000L);
        assertThat(clock.now().nanos()).isEqualTo(clock.nanos());
        assertThat(clock.now().wallMillis() - before.wallMillis()).isEqualTo(2_000 - 3_600_000);
    }

    @Test
    void ignoresStoreDate() {
        LeaseClock clock = clock(Duration.ofSeconds(1), LeaseTime.SYSTEM);
        ClockReading before = clock.now();

        clock.onResponse(clock.now(), clock.now(), time.instant().minusSeconds(60));

        ClockReading after = clock.now();
        assertThat(after.earliestMillis()).isEqualTo(before.earliestMillis());
        assertThat(after.latestMillis()).isEqualTo(before.latestMillis());
    }

    @Test
    void knowsStoreTimeBesideItsOwn() {
        for (LeaseTime mode : List.of(LeaseTime.SYSTEM, LeaseTime.OBSERVED)) {
            LeaseClock clock = clock(Duration.ofSeconds(1), mode);
            assertThat(clock.now().latestStoreTime()).isNull();
            Instant inThreeDays = time.instant().plus(Duration.ofDays(3));

            for (int responses = 0; responses < 4; responses++) {
                clock.onResponse(clock.now(), clock.now(), inThreeDays);
            }

            assertThat(clock.now().latestStoreTime()).isBetween(inThreeDays, inThreeDays.plusSeconds(2));
            time.pass(Duration.ofHours(5));
            assertThat(clock.now().latestStoreTime())
                    .isBetween(inThreeDays.plus(Duration.ofHours(5)), inThreeDays.plus(Duration.ofHours(6)));
        }
    }

    @Test
    void reportsSkewBetweenWallClockAndStoreDate() {
        LeaseClock clock = clock(Duration.ofSeconds(1), LeaseTime.SYSTEM);
        Instant second = time.instant().truncatedTo(ChronoUnit.SECONDS);
        Duration fraction = Duration.between(second, time.instant());

        clock.onResponse(clock.now(), clock.now(), second.minusSeconds(5));

        assertThat(reported).containsExactly(Duration.ofMillis(4_500).plus(fraction), Duration.ofSeconds(2));
    }

    @Test
    void reportsNothingWithoutResponseDate() {
        LeaseClock clock = clock(Duration.ofSeconds(1), LeaseTime.SYSTEM);

        clock.onResponse(clock.now(), clock.now(), null);

        assertThat(reported).isEmpty();
    }

    @Test
    void needsNoSample() {
        assertThat(clock(Duration.ZERO, LeaseTime.SYSTEM).isReady()).isTrue();
    }

    @Test
    void isComparedWithRowsOfSameClockOnly() {
        ClockReading system = clock(Duration.ZERO, LeaseTime.SYSTEM).now();

        assertThat(system.isComparableTo(LeaseTime.SYSTEM)).isTrue();
        assertThat(system.isComparableTo(LeaseTime.SERVER)).isFalse();
        assertThat(system.isComparableTo(LeaseTime.OBSERVED)).isFalse();
        assertThat(system.isComparableTo(null)).isFalse();
    }

    @Test
    void isNotComparedForObservedTime() {
        ClockReading observed = clock(Duration.ZERO, LeaseTime.OBSERVED).now();

        assertThat(observed.isComparableTo(LeaseTime.OBSERVED)).isFalse();
        assertThat(observed.isComparableTo(LeaseTime.SYSTEM)).isFalse();
    }

    @Test
    void halfSkewIsRoundedUp() {
        ManualTime time = new ManualTime();
        WallLeaseClock clock = new WallLeaseClock(
                time, time::nanos, Duration.ofNanos(1_500_000), LeaseTime.SYSTEM, new LockListener() {});

        ClockReading now = clock.now();

        assertThat(now.latestMillis() - now.wallMillis()).isEqualTo(1);
        assertThat(now.wallMillis() - now.earliestMillis()).isEqualTo(1);
    }
}
