/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RenewalPlanTests {

    private static final long MILLI = 1_000_000;
    private static final Duration INTERVAL = Duration.ofSeconds(10);

    private final Random random = new Random(3);
    private final RenewalPlan plan = new RenewalPlan(INTERVAL, random::nextDouble);

    @Test
    void firstRenewalIsInSecondHalfOfInterval() {
        assertThat(drawn(0).firstDelayNanos(30_000 * MILLI)).isEqualTo(10_000 * MILLI);
        assertThat(drawn(1).firstDelayNanos(30_000 * MILLI)).isEqualTo(5_000 * MILLI);
    }

    @Test
    void renewalsOfLocksAcquiredTogetherAreSpread() {
        long[] seconds = LongStream.range(0, 5_000)
                .map(unused -> plan.firstDelayNanos(30_000 * MILLI) / (1_000 * MILLI))
                .toArray();

        for (long second = 5; second < 10; second++) {
            long wanted = second;
            assertThat(LongStream.of(seconds).filter(drawn -> drawn == wanted).count())
                    .isBetween(900L, 1_100L);
        }
    }

    @Test
    void laterRenewalsDriftApartAndAreNeverTooFrequent() {
        assertThat(drawn(0).nextDelayNanos(30_000 * MILLI)).isEqualTo(10_000 * MILLI);
        assertThat(drawn(1).nextDelayNanos(30_000 * MILLI)).isEqualTo(11_000 * MILLI);
    }

    @Test
    void laterRenewalComesBeforeTheEndOfTheLease() {
        assertThat(drawn(0).nextDelayNanos(8_000 * MILLI)).isEqualTo(6_000 * MILLI);
        assertThat(drawn(0).nextDelayNanos(0)).isEqualTo(10_000 * MILLI);
    }

    @Test
    void retriesOnceSoonThenAtRenewalRate() {
        RenewalPlan longest = drawn(0);

        assertThat(longest.retryDelayNanos(1, 60_000 * MILLI)).isEqualTo(100 * MILLI);
        assertThat(longest.retryDelayNanos(2, 60_000 * MILLI)).isEqualTo(10_000 * MILLI);
        assertThat(longest.retryDelayNanos(10_000, 60_000 * MILLI)).isEqualTo(10_000 * MILLI);
        assertThat(longest.retryDelayNanos(Integer.MAX_VALUE, 60_000 * MILLI)).isEqualTo(10_000 * MILLI);
    }

    @Test
    void firstRetryIsNotLaterThanRenewal() {
        RenewalPlan shortest = new RenewalPlan(Duration.ofMillis(30), () -> 0);

        assertThat(shortest.retryDelayNanos(1, 60_000 * MILLI)).isEqualTo(30 * MILLI);
    }

    @Test
    void spreadsRetriesOfLocksThatFailedTogether() {
        assertThat(drawn(1).retryDelayNanos(1, 60_000 * MILLI)).isEqualTo(50 * MILLI);
        assertThat(drawn(1).retryDelayNanos(2, 60_000 * MILLI)).isEqualTo(5_000 * MILLI);
    }

    @Test
    void retriesWithinThreeQuartersOfRemainingTime() {
        assertThat(drawn(0).retryDelayNanos(2, 8_000 * MILLI)).isEqualTo(6_000 * MILLI);
        assertThat(drawn(1).retryDelayNanos(2, 8_000 * MILLI)).isEqualTo(2_000 * MILLI);
    }

    @Test
    void everyRetryFallsInsideRemainingLease() {
        for (int i = 0; i < 10_000; i++) {
            long remaining = 1 + random.nextLong(30_000 * MILLI);
            int failures = 1 + random.nextInt(100);

            assertThat(plan.retryDelayNanos(failures, remaining))
                    .isNotNegative()
                    .isLessThan(remaining)
                    .isLessThanOrEqualTo(remaining - remaining / 4);
        }
    }

    @Test
    void retriesImmediatelyIfNothingRemains() {
        assertThat(plan.retryDelayNanos(1, 0)).isZero();
    }

    @Test
    void manyLeasesProbeUnavailableStoreAtRenewalRate() {
        assertThat(drawn(0).probeDelayNanos(10, 30_000 * MILLI)).isEqualTo(10_000 * MILLI);
        assertThat(drawn(0).probeDelayNanos(1_000, 30_000 * MILLI)).isEqualTo(10_000 * MILLI);
        assertThat(drawn(1).probeDelayNanos(1_000, 30_000 * MILLI)).isEqualTo(9_000 * MILLI);
    }

    @Test
    void fewLeasesProbeTenTimesPerInterval() {
        assertThat(drawn(0).probeDelayNanos(1, 30_000 * MILLI)).isEqualTo(1_000 * MILLI);
        assertThat(drawn(0).probeDelayNanos(5, 30_000 * MILLI)).isEqualTo(5_000 * MILLI);
    }

    @Test
    void lastProbeIsJustBeforeTheLeaseEnds() {
        assertThat(drawn(0).probeDelayNanos(1_000, 8_000 * MILLI)).isEqualTo(7_600 * MILLI);
        assertThat(drawn(0).probeDelayNanos(1_000, 0)).isZero();
    }

    private static RenewalPlan drawn(double number) {
        return new RenewalPlan(INTERVAL, () -> number);
    }
}
