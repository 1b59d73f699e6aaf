/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

class PollBackoffTests {

    private static final long MILLI = 1_000_000;

    private static final Duration MIN = Duration.ofMillis(50);
    private static final Duration MAX = Duration.ofSeconds(1);

    private final PollBackoff unjittered = plan(() -> 0.5);

    private PollBackoff plan(DoubleSupplier random) {
        return new PollBackoff(MIN, MAX, random);
    }

    @Test
    void startsWithMinimumDelay() {
        assertThat(unjittered.delayNanos(0)).isEqualTo(50 * MILLI);
        assertThat(unjittered.delayNanos(160 * MILLI)).isEqualTo(50 * MILLI);
    }

    @Test
    void growsWithWaitTime() {
        assertThat(unjittered.delayNanos(1_000 * MILLI)).isEqualTo(300 * MILLI);
        assertThat(unjittered.delayNanos(2_000 * MILLI)).isEqualTo(600 * MILLI);
    }

    @Test
    void endsAtMaximumDelayOrUpToOneFifthLess() {
        assertThat(plan(() -> 0).delayNanos(Long.MAX_VALUE / 2)).isEqualTo(800 * MILLI);
        assertThat(unjittered.delayNanos(4_000 * MILLI)).isEqualTo(900 * MILLI);
        assertThat(plan(() -> 1).delayNanos(Long.MAX_VALUE / 2)).isEqualTo(1_000 * MILLI);
    }

    @Test
    void jittersDelayByTenPercent() {
        assertThat(plan(() -> 0).delayNanos(1_000 * MILLI)).isEqualTo(270 * MILLI);
        assertThat(plan(() -> 1).delayNanos(1_000 * MILLI)).isEqualTo(330 * MILLI);
    }

    @Test
    void pollsAtMost80TimesAMinuteButEverySecond() {
        for (int seed = 0; seed < 1_000; seed++) {
            List<Long> polls = pollsOf(new Random(seed), 60_000 * MILLI);

            assertThat(polls).hasSizeBetween(55, 80);
            assertThat(longestGap(polls)).isLessThanOrEqualTo(1_000 * MILLI);
        }
    }

    @Test
    void shortWaitHasMedianDelayBelow250Milliseconds() {
        List<Long> lateness = new ArrayList<>();
        for (int seed = 0; seed < 1_000; seed++) {
            Random random = new Random(seed);
            long freed = random.nextLong(2_000 * MILLI);
            lateness.add(firstAfter(freed, pollsOf(random, 4_000 * MILLI)) - freed);
        }

        lateness.sort(Long::compare);

        assertThat(lateness.get(500)).isLessThanOrEqualTo(250 * MILLI);
    }

    @Test
    void delayIsAboutOneThirdOfWaitTime() {
        for (int seed = 0; seed < 1_000; seed++) {
            long before = 0;
            for (long poll : pollsOf(new Random(seed), 60_000 * MILLI)) {
                assertThat(poll - before).isLessThanOrEqualTo(Math.max(55 * MILLI, before * 34 / 100));
                before = poll;
            }
        }
    }

    @Test
    void spreadsPollsAimedAtSameMoment() {
        assertThat(plan(() -> 0).shortlyAfterNanos(7)).isEqualTo(7);
        assertThat(plan(() -> 1).shortlyAfterNanos(7)).isEqualTo(7 + 5 * MILLI);
    }

    private List<Long> pollsOf(Random random, long untilNanos) {
        PollBackoff plan = plan(random::nextDouble);
        List<Long> polls = new ArrayList<>();
        for (long at = plan.delayNanos(0); at < untilNanos; at += plan.delayNanos(at)) {
            polls.add(at);
        }
        return polls;
    }

    private static long longestGap(List<Long> polls) {
        long longest = polls.get(0);
        for (int i = 1; i < polls.size(); i++) {
            longest = Math.max(longest, polls.get(i) - polls.get(i - 1));
        }
        return longest;
    }

    private static long firstAfter(long nanos, List<Long> polls) {
        return polls.stream().filter(poll -> poll >= nanos).findFirst().orElseThrow();
    }
}
