/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FencingTokensTests {

    private final FencingTokens tokens = new FencingTokens();

    @Test
    void isMidpointOfNowInMillisecondsTimes1024() {
        long start = Times.START_MILLIS;
        ClockReading now = new ClockReading(0, 99, start + 1_000, start + 3_000, LeaseTime.SERVER);

        assertThat(tokens.propose(now, 0)).isEqualTo((start + 2_000) * 1_024);
    }

    @Test
    void increasesWithinOneMillisecond() {
        List<Long> proposed = IntStream.range(0, 5_000)
                .mapToObj(unused -> tokens.propose(Times.at(0), 0))
                .toList();

        assertThat(proposed).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void increasesWithTheClock() {
        long before = tokens.propose(Times.at(0), 0);

        assertThat(tokens.propose(Times.at(1), 0)).isEqualTo(before + 1_024);
    }

    @Test
    void increasesAfterClockIsSetBack() {
        long before = tokens.propose(Times.at(0), 0);

        long after = tokens.propose(Times.at(1, Duration.ofHours(-1), LeaseTime.SYSTEM), 0);

        assertThat(after).isGreaterThan(before);
    }

    @Test
    void isAtMostOneDayAheadOfClock() {
        ClockReading ahead = Times.at(1, Duration.ofDays(400), LeaseTime.SYSTEM);
        long wrong = tokens.propose(ahead, 0);

        long right = tokens.propose(Times.at(2), 0);

        assertThat(wrong).isGreaterThan(right);
        assertThat(right).isEqualTo(FencingTokens.at(Times.START_MILLIS + 2));
    }

    @Test
    void followsRememberedTokenWithinOneDayOfClock() {
        ClockReading now = Times.at(0);
        long clock = FencingTokens.at(Times.START_MILLIS);
        long day = 86_400_000L * 1_024;

        assertThat(new FencingTokens().propose(now, clock + day, 0)).isEqualTo(clock + day + 1);
        assertThat(new FencingTokens().propose(now, clock + day + 1, 0)).isEqualTo(clock);
        assertThat(new FencingTokens().propose(now, clock + day + 1, clock + day + 1))
                .isEqualTo(clock + day + 2);
        assertThat(new FencingTokens().propose(now, 0, clock + 5 * day)).isEqualTo(clock + 5 * day + 1);
    }

    @Test
    void neverExceedsExactJsonIntegers() {
        assertThat(tokens.propose(Times.at(0), LockRow.HIGHEST_TOKEN - 1)).isEqualTo(LockRow.HIGHEST_TOKEN);
        assertThat(tokens.propose(Times.at(0), LockRow.HIGHEST_TOKEN)).isEqualTo(LockRow.HIGHEST_TOKEN);
        assertThat(tokens.propose(Times.at(0), Long.MAX_VALUE - 1)).isEqualTo((1L << 53) - 1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1970-01-01T00:00:00Z", "2019-12-31T23:59:59Z", "2100-01-01T00:00:00Z", "2300-01-01T00:00:00Z"})
    void clockOffByDecadesProducesNoToken(String wall) {
        ClockReading now = ClockReading.ofMachine(0, Instant.parse(wall));

        assertThat(FencingTokens.canPropose(now)).isFalse();
    }

    @Test
    void usesStoreTimeIfWallClockIsOffByDecades() {
        long wall = Instant.parse("2300-01-01T00:00:00Z").toEpochMilli();
        ClockReading now = new ClockReading(0, wall, wall, wall, LeaseTime.OBSERVED, Times.START_MILLIS);

        assertThat(FencingTokens.canPropose(now)).isTrue();
        assertThat(tokens.propose(now, 0)).isEqualTo(FencingTokens.at(Times.START_MILLIS));
    }

    @Test
    void exceedsHighestTokenSeen() {
        long aheadOfThisClock = tokens.propose(Times.at(60_000), 0);

        assertThat(new FencingTokens().propose(Times.at(0), aheadOfThisClock)).isEqualTo(aheadOfThisClock + 1);
    }

    @Test
    void isNotHeldBackByOldToken() {
        assertThat(tokens.propose(Times.at(0), 5)).isEqualTo(Times.START_MILLIS * 1_024);
    }

    @Test
    void highTokenOfOneNameDoesNotRaiseOthers() {
        tokens.propose(Times.at(0), Long.MAX_VALUE / 2);

        assertThat(tokens.propose(Times.at(1), 0)).isEqualTo((Times.START_MILLIS + 1) * 1_024);
    }

    @Test
    void fitsExactlyInDoubleUntil2248() {
        long millis = Instant.parse("2248-09-01T00:00:00Z").toEpochMilli();
        ClockReading late = new ClockReading(0, millis, millis, millis, LeaseTime.SYSTEM);

        assertThat(tokens.propose(late, 0)).isLessThan(1L << 53).isGreaterThan((1L << 53) * 99 / 100);
    }

    @Test
    void isNeverProposedTwiceByConcurrentThreads() {
        Set<Long> proposed = ConcurrentHashMap.newKeySet();

        IntStream.range(0, 100_000).parallel().forEach(i -> proposed.add(tokens.propose(Times.at(0), 0)));

        assertThat(proposed).hasSize(100_000);
    }
}
