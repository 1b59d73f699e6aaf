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

class TokensTests {

    private final Tokens tokens = new Tokens();

    @Test
    void areTheMiddleOfNowInMillisecondsTimes1024() {
        ClockReading now = new ClockReading(0, 99, 1_000, 3_000, LeaseTime.SERVER);

        assertThat(tokens.propose(now, 0)).isEqualTo(2_000 * 1_024);
    }

    @Test
    void growWithinOneMillisecond() {
        List<Long> proposed = IntStream.range(0, 5_000)
                .mapToObj(unused -> tokens.propose(Moments.at(0), 0))
                .toList();

        assertThat(proposed).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void growWithTheClock() {
        long before = tokens.propose(Moments.at(0), 0);

        assertThat(tokens.propose(Moments.at(1), 0)).isEqualTo(before + 1_024);
    }

    @Test
    void growAlthoughTheClockIsSetBack() {
        long before = tokens.propose(Moments.at(0), 0);

        long after = tokens.propose(Moments.at(1, Duration.ofHours(-1), LeaseTime.SYSTEM), 0);

        assertThat(after).isGreaterThan(before);
    }

    @Test
    void areAboveTheHighestTokenSeen() {
        long aheadOfThisClock = tokens.propose(Moments.at(60_000), 0);

        assertThat(new Tokens().propose(Moments.at(0), aheadOfThisClock)).isEqualTo(aheadOfThisClock + 1);
    }

    @Test
    void areNotHeldBackByAnOldTokenSeen() {
        assertThat(tokens.propose(Moments.at(0), 5)).isEqualTo(Moments.START_MILLIS * 1_024);
    }

    @Test
    void oneNamesHighTokenDoesNotLiftTheOthers() {
        tokens.propose(Moments.at(0), Long.MAX_VALUE / 2);

        assertThat(tokens.propose(Moments.at(1), 0)).isEqualTo((Moments.START_MILLIS + 1) * 1_024);
    }

    @Test
    void stayExactInADoubleIn2248() {
        long millis = Instant.parse("2248-09-01T00:00:00Z").toEpochMilli();
        ClockReading late = new ClockReading(0, millis, millis, millis, LeaseTime.SYSTEM);

        assertThat(tokens.propose(late, 0)).isLessThan(1L << 53).isGreaterThan((1L << 53) * 99 / 100);
    }

    @Test
    void areNeverProposedTwiceByAnyThreads() {
        Set<Long> proposed = ConcurrentHashMap.newKeySet();

        IntStream.range(0, 100_000).parallel().forEach(i -> proposed.add(tokens.propose(Moments.at(0), 0)));

        assertThat(proposed).hasSize(100_000);
    }
}
