/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ObservationsTests {

    private static final Duration UNKNOWN_LEASE = Duration.ofSeconds(60);

    private final Observations observations = new Observations(3, UNKNOWN_LEASE);

    @Test
    void rowIsStaleAfterItsLeaseAndDrift() {
        LockRow row = TestRows.heldBy("a").leaseDuration(Duration.ofSeconds(30)).build();
        observations.observed("job", row, Times.nanos(0));
        long due = Times.nanos(30_000) + 15_000_000 + 1_000_000;

        assertThat(observations.takeoverNanos("job", row)).isEqualTo(due);
        assertThat(observations.unchangedRow("job", due - 1)).isNull();
        assertThat(observations.unchangedRow("job", due)).isEqualTo(row);
    }

    @Test
    void waitsForLeaseOfRowNotOfManager() {
        LockRow longer =
                TestRows.heldBy("a").leaseDuration(Duration.ofMinutes(10)).build();
        observations.observed("job", longer, Times.nanos(0));

        assertThat(observations.unchangedRow("job", Times.nanos(600_000))).isNull();
        assertThat(observations.unchangedRow("job", Times.nanos(601_000))).isEqualTo(longer);
    }

    @Test
    void waitsForLeaseOfManagerIfRowHasNone() {
        LockRow silent = TestRows.heldBy("a").leaseDuration(null).build();
        observations.observed("job", silent, Times.nanos(0));

        assertThat(observations.unchangedRow("job", Times.nanos(60_000))).isNull();
        assertThat(observations.unchangedRow("job", Times.nanos(60_100))).isEqualTo(silent);
    }

    @Test
    void countsFromFirstResponseShowingRow() {
        LockRow row = TestRows.heldBy("a").leaseDuration(Duration.ofSeconds(30)).build();
        observations.observed("job", row, Times.nanos(0));

        observations.observed("job", row, Times.nanos(20_000));

        assertThat(observations.unchangedRow("job", Times.nanos(30_100))).isEqualTo(row);
    }

    /** The lock of another library: at each look, less of its time is left. */
    @Test
    void remainingDurationCountsFromTheLatestResponse() {
        LockRow atFirst =
                TestRows.heldBy("a").leaseDuration(Duration.ofSeconds(30)).build();
        LockRow later =
                TestRows.heldBy("a").leaseDuration(Duration.ofSeconds(10)).build();
        observations.observed("job", atFirst, Times.nanos(0));
        observations.observed("job", later, Times.nanos(20_000));

        assertThat(observations.unchangedRow("job", Times.nanos(29_999))).isNull();
        assertThat(observations.takeoverNanos("job", later)).isGreaterThan(Times.nanos(30_000));
    }

    @Test
    void renewalRestartsCount() {
        LockRow renewed = TestRows.heldBy("a").renewals(1L).build();
        observations.observed("job", TestRows.heldBy("a").renewals(0L).build(), Times.nanos(0));

        observations.observed("job", renewed, Times.nanos(20_000));

        assertThat(observations.unchangedRow("job", Times.nanos(49_999))).isNull();
        assertThat(observations.unchangedRow("job", Times.nanos(50_100))).isEqualTo(renewed);
    }

    @Test
    void newHolderRestartsCount() {
        LockRow next = TestRows.heldBy("b").build();
        observations.observed("job", TestRows.heldBy("a").build(), Times.nanos(0));

        observations.observed("job", next, Times.nanos(20_000));

        assertThat(observations.unchangedRow("job", Times.nanos(49_999))).isNull();
        assertThat(observations.unchangedRow("job", Times.nanos(50_100))).isEqualTo(next);
    }

    @Test
    void rowWithoutRenewalNumberCanBecomeStale() {
        LockRow row = TestRows.heldBy("a").renewals(null).build();
        observations.observed("job", row, Times.nanos(0));

        observations.observed("job", row, Times.nanos(20_000));

        assertThat(observations.unchangedRow("job", Times.nanos(30_100))).isEqualTo(row);
    }

    @Test
    void freeRowNeedsNoTakeover() {
        observations.observed("job", TestRows.free().build(), Times.nanos(0));

        assertThat(observations.unchangedRow("job", Times.nanos(1_000_000))).isNull();
    }

    @Test
    void returnsDueTimeForObservedRowOnly() {
        observations.observed("job", TestRows.heldBy("a").renewals(1L).build(), Times.nanos(0));

        assertThat(observations.takeoverNanos(
                        "job", TestRows.heldBy("a").renewals(2L).build()))
                .isNull();
        assertThat(observations.takeoverNanos(
                        "job", TestRows.heldBy("b").renewals(1L).build()))
                .isNull();
        assertThat(observations.takeoverNanos("job", TestRows.free().build())).isNull();
        assertThat(observations.takeoverNanos(
                        "other", TestRows.heldBy("a").renewals(1L).build()))
                .isNull();
    }

    @Test
    void remembersHighestTokenPerName() {
        observations.observed("job", TestRows.heldBy("a", 7).tokenFloor(9L).build(), Times.nanos(0));
        observations.observed("other", TestRows.free(20).build(), Times.nanos(0));

        assertThat(observations.highestToken("job")).isEqualTo(9);
        assertThat(observations.highestToken("other")).isEqualTo(20);
        assertThat(observations.highestToken("never seen")).isZero();
    }

    @Test
    void forgetsNamesOnRequest() {
        LockRow row = TestRows.heldBy("a").build();
        observations.observed("job", row, Times.nanos(0));

        observations.forget("job");

        assertThat(observations.highestToken("job")).isZero();
        assertThat(observations.unchangedRow("job", Times.nanos(100_000))).isNull();
    }

    @Test
    void evictsLeastRecentlyUsedNames() {
        for (String name : new String[] {"one", "two", "three"}) {
            observations.observed(name, TestRows.heldBy("a").build(), Times.nanos(0));
        }
        observations.highestToken("one");

        observations.observed("four", TestRows.heldBy("a").build(), Times.nanos(0));

        assertThat(observations.highestToken("two")).isZero();
        assertThat(observations.highestToken("one")).isPositive();
        assertThat(observations.highestToken("three")).isPositive();
        assertThat(observations.highestToken("four")).isPositive();
    }

    @Test
    void ignoresAttributesBesideTheLease() {
        LockRow huge = LockRow.builder()
                .leaseId("theirs")
                .owner("them")
                .fencingToken(7L)
                .tokenFloor(7L)
                .renewals(1L)
                .metadata(Map.of("note", "x".repeat(4_000)))
                .build();

        observations.observed("job", huge, 0);

        assertThat(Objects.requireNonNull(observations.latest("job")).row().metadata())
                .isEmpty();
    }

    @Test
    void memoryIsBoundedForAMillionNames() {
        LockRow row = TestRows.heldBy("a").build();
        for (int i = 0; i < 1_000_000; i++) {
            observations.observed("job-" + i, row, Times.nanos(0));
        }

        long remembered = IntStream.range(0, 1_000_000)
                .filter(i -> observations.highestToken("job-" + i) > 0)
                .count();

        assertThat(remembered).isEqualTo(3);
    }

    @Test
    void observationNeverAllowsTakeoverWhileLeaseIsHeld() {
        Random random = new Random(11);
        int taken = 0;
        for (int i = 0; i < 20_000; i++) {
            long lease = 1L + random.nextInt(3_600_000);
            double holderRate = 1 + (random.nextDouble() - 0.5) / 1_000;
            double rivalRate = 1 + (random.nextDouble() - 0.5) / 1_000;
            long seenAfter = random.nextInt(1_000_000);
            long checkedAt = (long) (lease * 1_000_000 * (0.998 + random.nextDouble() * 0.004)) + 1_000_000;

            LeaseExpiry end = LeaseExpiry.after(Times.at(0, LeaseTime.OBSERVED), Duration.ofMillis(lease));
            Observations rival = new Observations(1, UNKNOWN_LEASE);
            rival.observed(
                    "job",
                    TestRows.heldBy("a").leaseDuration(Duration.ofMillis(lease)).build(),
                    (long) (seenAfter * rivalRate));
            boolean takes = rival.unchangedRow("job", (long) (checkedAt * rivalRate)) != null;
            boolean holds = Times.START_NANOS + (long) (checkedAt * holderRate) - end.nanos() < 0;

            assertThat(takes && holds).as("case %d: lease %d ms", i, lease).isFalse();
            taken += takes ? 1 : 0;
        }

        assertThat(taken).isGreaterThan(1_000);
    }

    @Test
    void remembersFloorRaisedUnderSameLease() {
        Observations observations = new Observations(10, Duration.ofSeconds(30));
        LockRow row = TestRows.heldBy("a", 7).build();
        LockRow raised = TestRows.heldBy("a", 7).tokenFloor(99L).build();

        observations.observed("job", row, Times.nanos(0));
        observations.observed("job", raised, Times.nanos(20_000));

        assertThat(observations.highestToken("job")).isEqualTo(99);
        assertThat(observations.unchangedRow("job", Times.nanos(31_000))).isEqualTo(raised);
    }
}
