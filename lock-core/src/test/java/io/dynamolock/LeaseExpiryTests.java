/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LeaseExpiryTests {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration HOUR = Duration.ofHours(1);

    private final LeaseExpiry end = LeaseExpiry.after(Times.at(0), LEASE);

    @Test
    void countsFromBeforeRequestOnEveryClock() {
        assertThat(end.nanos()).isEqualTo(Times.nanos(10_000 - 5));
        assertThat(end.wallMillis()).isEqualTo(Times.START_MILLIS + 10_000 - 5);
    }

    @Test
    void writesLatestBoundOfNow() {
        assertThat(end.commonMillis()).isEqualTo(Times.START_MILLIS + Times.HALF_SKEW + 10_000);
        assertThat(end.time()).isEqualTo(LeaseTime.SYSTEM);
    }

    @Test
    void expiresExactlyAtEnd() {
        assertThat(end.isPast(Times.at(9_994))).isFalse();
        assertThat(end.isPast(Times.at(9_995))).isTrue();
    }

    @Test
    void expiresByMonotonicClockIfWallClockIsSetBack() {
        ClockReading before = Times.at(9_994, HOUR.negated(), LeaseTime.SYSTEM);
        ClockReading after = Times.at(9_995, HOUR.negated(), LeaseTime.SYSTEM);

        assertThat(end.isPast(before)).isFalse();
        assertThat(end.isPast(after)).isTrue();
    }

    @Test
    void expiresByWallClockIfMonotonicClockStops() {
        LeaseExpiry noCommonTime = LeaseExpiry.after(Times.at(0, LeaseTime.OBSERVED), LEASE);
        ClockReading before = Times.at(0, Duration.ofMillis(9_994), LeaseTime.OBSERVED);
        ClockReading after = Times.at(0, LEASE.minusMillis(5), LeaseTime.OBSERVED);

        assertThat(noCommonTime.isPast(before)).isFalse();
        assertThat(noCommonTime.isPast(after)).isTrue();
    }

    @Test
    void expiresWhenStoreTimeMayHaveReachedRowEnd() {
        LeaseExpiry byServer = LeaseExpiry.after(Times.at(0, LeaseTime.SERVER), LEASE);

        assertThat(byServer.isPast(serverTimeAtMost(byServer.commonMillis() - 1)))
                .isFalse();
        assertThat(byServer.isPast(serverTimeAtMost(byServer.commonMillis()))).isTrue();
    }

    @Test
    void ignoresEndsOnAnotherClock() {
        LeaseExpiry byWall = LeaseExpiry.after(Times.at(0, LeaseTime.SYSTEM), LEASE);
        LeaseExpiry observed = LeaseExpiry.after(Times.at(0, LeaseTime.OBSERVED), LEASE);
        ClockReading lateServer = serverTimeAtMost(byWall.commonMillis() + 1);
        ClockReading lateForDisplay = withLatest(byWall.commonMillis() + 1, LeaseTime.OBSERVED);

        assertThat(byWall.isPast(lateServer)).isFalse();
        assertThat(observed.isPast(lateForDisplay)).isFalse();
    }

    @Test
    void minimumOfTwoEndsIsMinimumOnEachClock() {
        LeaseExpiry one = new LeaseExpiry(Times.nanos(3_000), 20, 500, LeaseTime.SYSTEM);
        LeaseExpiry other = new LeaseExpiry(Times.nanos(8_000), 10, 600, LeaseTime.SYSTEM);
        LeaseExpiry earliest = new LeaseExpiry(Times.nanos(3_000), 10, 500, LeaseTime.SYSTEM);

        assertThat(one.earlier(other)).isEqualTo(earliest);
        assertThat(other.earlier(one)).isEqualTo(earliest);
    }

    @Test
    void minimumOfEndsOnDifferentClocksUsesNewerClock() {
        LeaseExpiry byServer = new LeaseExpiry(Times.nanos(3_000), 20, 500, LeaseTime.SERVER);
        LeaseExpiry observed = new LeaseExpiry(Times.nanos(8_000), 10, 600, LeaseTime.OBSERVED);

        LeaseExpiry earlier = byServer.earlier(observed);

        assertThat(earlier).isEqualTo(new LeaseExpiry(Times.nanos(3_000), 10, 600, LeaseTime.OBSERVED));
    }

    @Test
    void shorterRowEndCutsEveryClock() {
        LeaseExpiry cut = end.notAfter(end.commonMillis() - 4_000);

        assertThat(cut.nanos()).isEqualTo(end.nanos() - 4_000_000_000L);
        assertThat(cut.wallMillis()).isEqualTo(end.wallMillis() - 4_000);
        assertThat(cut.commonMillis()).isEqualTo(end.commonMillis() - 4_000);
    }

    @Test
    void rowNeverExtendsEnd() {
        assertThat(end.notAfter(end.commonMillis())).isEqualTo(end);
        assertThat(end.notAfter(end.commonMillis() + 60_000)).isEqualTo(end);
    }

    @Test
    void expiresIfRowHasNoEnd() {
        LeaseExpiry cut = end.notAfter(0);

        assertThat(cut.isPast(Times.at(0))).isTrue();
        assertThat(cut.notAfter(0).isPast(Times.at(0))).isTrue();
    }

    @Test
    void remainingTimeIsMinimumOfAllClocks() {
        ClockReading byMonotonic = Times.at(4_000, HOUR.negated(), LeaseTime.SYSTEM);
        ClockReading byWall = Times.at(4_000, Duration.ofSeconds(1), LeaseTime.OBSERVED);
        ClockReading byCommonTime = withLatest(end.commonMillis() - 700, LeaseTime.SYSTEM);

        assertThat(end.remaining(byMonotonic)).isEqualTo(Duration.ofMillis(6_000 - 5));
        assertThat(end.remaining(byWall)).isEqualTo(Duration.ofMillis(5_000 - 5));
        assertThat(end.remaining(byCommonTime)).isEqualTo(Duration.ofMillis(700));
    }

    @Test
    void nothingRemainsAfterEnd() {
        assertThat(end.remaining(Times.at(10_000))).isZero();
        assertThat(end.remaining(Times.at(50_000, HOUR.negated(), LeaseTime.SYSTEM)))
                .isZero();
    }

    @Test
    void isDisplayedAsWallClockTime() {
        assertThat(end.asInstant()).isEqualTo(Instant.ofEpochMilli(Times.START_MILLIS + 10_000 - 5));
    }

    private static ClockReading serverTimeAtMost(long latestMillis) {
        return withLatest(latestMillis, LeaseTime.SERVER);
    }

    private static ClockReading withLatest(long latestMillis, LeaseTime time) {
        ClockReading start = Times.at(0);
        return new ClockReading(start.nanos(), start.wallMillis(), start.earliestMillis(), latestMillis, time);
    }
}
