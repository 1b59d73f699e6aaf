/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RecoveryScheduleTests {

    private static final long SECOND = 1_000_000_000L;
    private static final Duration INTERVAL = Duration.ofSeconds(9);
    private static final long NOW = 1_000 * SECOND;

    private final RecoverySchedule schedule = new RecoverySchedule(NOW, 6);

    @Test
    void renewalsAreSpreadOverTwoThirdsOfInterval() {
        long[] moments = LongStream.range(0, 6)
                .map(unused -> schedule.nextNanos(INTERVAL, NOW + 20 * SECOND) - NOW)
                .toArray();

        assertThat(moments).containsExactly(SECOND, 2 * SECOND, 3 * SECOND, 4 * SECOND, 5 * SECOND, 6 * SECOND);
    }

    @Test
    void leaseEndingSoonIsRenewedWithinThreeQuartersOfRest() {
        assertThat(schedule.nextNanos(INTERVAL, NOW + SECOND) - NOW).isEqualTo(SECOND * 3 / 4);
    }

    @Test
    void endedLeaseDelaysNoOther() {
        assertThat(schedule.nextNanos(INTERVAL, NOW - SECOND) - NOW).isZero();
    }

    @Test
    void shortLeaseBarelyDelaysOthers() {
        long first = schedule.nextNanos(Duration.ofMillis(900), NOW + SECOND);
        long second = schedule.nextNanos(INTERVAL, NOW + 20 * SECOND);

        assertThat(first - NOW).isEqualTo(SECOND / 10);
        assertThat(second - first).isEqualTo(SECOND);
    }
}
