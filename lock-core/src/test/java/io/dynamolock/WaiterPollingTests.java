/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.WaiterPolling.Poll;
import io.dynamolock.time.PollBackoff;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WaiterPollingTests {

    private static final LockRow HELD =
            TestRows.heldBy("a").expiresAt(Times.instant(2_000)).build();
    private static final LockRow RELEASED = TestRows.free().lastLeaseId("a").build();

    private final Observations observations = new Observations(10, Duration.ofSeconds(30));
    private final PollBackoff plan = new PollBackoff(Duration.ofMillis(50), Duration.ofSeconds(1), this::chance);
    private double chance = 0.5;
    private final TurnClaims claims = new TurnClaims("claimant", observations);
    private final WaiterPolling polling = new WaiterPolling(plan, observations, claims, "job", Times.nanos(0));

    @Test
    void triesIfRowIsFree() {
        assertThat(polling.observed(RELEASED, Times.at(100))).isTrue();
    }

    @Test
    void triesIfRowIsMissing() {
        assertThat(polling.observed(LockRow.ABSENT, Times.at(100))).isTrue();
    }

    @Test
    void doesNotTryWhileRowIsHeld() {
        assertThat(polling.observed(HELD, Times.at(100))).isFalse();
        assertThat(polling.latestRow()).isEqualTo(HELD);
    }

    @Test
    void triesOnceRowHasCertainlyExpired() {
        assertThat(polling.observed(HELD, Times.at(2_500))).isFalse();
        assertThat(polling.observed(HELD, Times.at(2_501))).isTrue();
    }

    @Test
    void triesOncePerObservedChange() {
        assertThat(polling.observed(RELEASED, Times.at(100))).isTrue();
        assertThat(polling.observed(RELEASED, Times.at(200))).isFalse();
        assertThat(polling.observed(TestRows.free(1_001).build(), Times.at(300)))
                .isTrue();
    }

    /** The row may not show what rejects the attempts. */
    @Test
    void triesAgainAfterAWhileAlthoughRowIsUnchanged() {
        assertThat(polling.observed(RELEASED, Times.at(100))).isTrue();
        polling.rejected(RELEASED, Times.at(110));
        assertThat(polling.observed(RELEASED, Times.at(10_099))).isFalse();

        assertThat(polling.observed(RELEASED, Times.at(10_100))).isTrue();
        assertThat(polling.observed(RELEASED, Times.at(10_200))).isFalse();
    }

    @Test
    void triesAgainAfterRowIsDeletedAgain() {
        assertThat(polling.observed(LockRow.ABSENT, Times.at(100))).isTrue();
        polling.rejected(HELD, Times.at(110));
        assertThat(polling.observed(HELD, Times.at(200))).isFalse();

        assertThat(polling.observed(LockRow.ABSENT, Times.at(300))).isTrue();
    }

    @Test
    void ignoresRowOlderThanTheRejectingOne() {
        LockRow successor = TestRows.heldBy("b", 1_001).build();
        polling.rejected(successor, Times.at(100));

        assertThat(polling.observed(RELEASED, Times.at(200))).isFalse();
        assertThat(polling.latestRow()).isEqualTo(successor);
    }

    @Test
    void ignoresOlderRenewalThatLooksExpired() {
        LockRow renewed = TestRows.heldBy("a")
                .renewals(3L)
                .expiresAt(Times.instant(9_000))
                .build();
        LockRow stale = TestRows.heldBy("a")
                .renewals(2L)
                .expiresAt(Times.instant(2_000))
                .build();
        polling.observed(renewed, Times.at(3_000));

        assertThat(polling.observed(stale, Times.at(4_000))).isFalse();
        assertThat(polling.latestRow()).isEqualTo(renewed);
        assertThat(observations.takeoverNanos("job", renewed)).isNotNull();
    }

    @Test
    void readsWithDelaysGrowingWithWaitTime() {
        assertThat(polling.next(Times.at(0))).isEqualTo(read(50));
        assertThat(polling.next(Times.at(1_000))).isEqualTo(read(1_300));
        assertThat(polling.next(Times.at(10_000))).isEqualTo(read(10_900));
    }

    @Test
    void readsWhileRowEndIsFarAway() {
        polling.observed(HELD, Times.at(0));

        assertThat(polling.next(Times.at(1_000))).isEqualTo(read(1_300));
    }

    @Test
    void aimsAtFirstMomentOfCertainExpiry() {
        polling.rejected(HELD, Times.at(0));

        chance = 0;

        assertThat(polling.next(Times.at(2_000))).isEqualTo(new Poll(true, Times.nanos(2_501)));
        assertThat(ConditionFailures.isPastEnd(HELD, Times.at(2_500))).isFalse();
        assertThat(ConditionFailures.isPastEnd(HELD, Times.at(2_501))).isTrue();
    }

    @Test
    void waitersAimingAtSameMomentAreSpread() {
        polling.rejected(HELD, Times.at(0));
        chance = 1;

        assertThat(polling.next(Times.at(2_000))).isEqualTo(new Poll(true, Times.nanos(2_501) + 5_000_000));
    }

    @Test
    void readsFirstIfNextPollPrecedesRowEnd() {
        polling.rejected(TestRows.heldBy("a").expiresAt(Times.instant(9_800)).build(), Times.at(0));

        assertThat(polling.next(Times.at(9_399))).isEqualTo(read(10_299));
        assertThat(polling.next(Times.at(9_402)).acquires()).isTrue();
    }

    @Test
    void doesNotRetryRowThatRejectedAfterItsEnd() {
        polling.rejected(HELD, Times.at(2_501));

        assertThat(polling.next(Times.at(2_501)).acquires()).isFalse();
    }

    @Test
    void changeOfHolderShortensTheGap() {
        chance = 1;
        LockRowBuilder held = TestRows.heldBy("a").expiresAt(Times.instant(100_000));
        polling.rejected(held.build(), Times.at(0));
        long unchanged = gapMillis(60_000);

        polling.observed(
                held.leaseId("b")
                        .fencingToken(1_001L)
                        .tokenFloor(1_001L)
                        .acquiredAt(Times.instant(60_000))
                        .build(),
                Times.at(60_000));
        long changed = gapMillis(60_000);

        assertThat(unchanged).isEqualTo(1_000);
        assertThat(changed).isLessThan(unchanged / 4);
    }

    @Test
    void rowWithoutReadableHolderIsPolledEverMoreRarely() {
        LockRow later = TestRows.heldBy("a")
                .acquiredAt(null)
                .expiresAt(Times.instant(100_000))
                .laterFormat(true)
                .build();
        polling.rejected(later, Times.at(0));

        polling.observed(later.toBuilder().build(), Times.at(60_000));

        assertThat(gapMillis(60_000)).isGreaterThan(800);
    }

    @Test
    void waiterThatComesLatePollsAsRarelyAsTheOthers() {
        chance = 1;
        LockRowBuilder held = TestRows.heldBy("a").expiresAt(Times.instant(100_000));
        polling.rejected(held.build(), Times.at(60_000));
        assertThat(gapMillis(60_000)).isEqualTo(1_000);

        polling.rejected(held.acquiredAt(null).renewals(1L).build(), Times.at(60_000));
        assertThat(gapMillis(60_000)).as("age unknown").isEqualTo(55);

        polling.rejected(
                held.acquiredAt(Times.instant(0))
                        .clock(LeaseTime.SERVER)
                        .renewals(2L)
                        .build(),
                Times.at(60_000));
        assertThat(gapMillis(60_000)).as("by another clock").isEqualTo(55);
    }

    @Test
    void waiterWithClaimPollsLongHoldAsRarelyAsOthers() {
        PollBackoff rare = new PollBackoff(Duration.ofMillis(50), Duration.ofSeconds(30), this::chance);
        WaiterPolling waiter = new WaiterPolling(rare, observations, claims, "job", Times.nanos(0));
        LockRow claimed = TestRows.heldBy("a")
                .expiresAt(Times.instant(1_000_000))
                .claim(TurnClaim.of(1, Duration.ofMillis(1_500), "claimant"))
                .build();
        waiter.rejected(claimed, Times.at(0));

        assertThat(waiter.next(Times.at(59_000)).atNanos()).isEqualTo(Times.nanos(60_000));
        assertThat(waiter.next(Times.at(70_000)).atNanos()).isGreaterThan(Times.nanos(80_000));
    }

    @Test
    void waiterWithClaimPollsNoMoreOftenThanItsRequestPermits() {
        PollBackoff rare = new PollBackoff(Duration.ofSeconds(5), Duration.ofSeconds(30), this::chance);
        WaiterPolling waiter = new WaiterPolling(rare, observations, claims, "job", Times.nanos(0));
        waiter.rejected(
                TestRows.heldBy("a")
                        .expiresAt(Times.instant(1_000_000))
                        .claim(TurnClaim.of(1, Duration.ofMillis(1_500), "claimant"))
                        .build(),
                Times.at(0));

        assertThat(waiter.next(Times.at(0)).atNanos()).isEqualTo(Times.nanos(5_000));
    }

    private long gapMillis(long at) {
        return (polling.next(Times.at(at)).atNanos() - Times.nanos(at)) / 1_000_000;
    }

    @Test
    void renewalMovesTheAim() {
        polling.rejected(HELD, Times.at(0));

        polling.observed(
                TestRows.heldBy("a")
                        .renewals(1L)
                        .expiresAt(Times.instant(3_000))
                        .build(),
                Times.at(2_600));

        assertThat(polling.next(Times.at(2_700)).acquires()).isTrue();
    }

    @Test
    void observedRowIsDueAfterItsLease() {
        ClockReading seen = Times.at(0, LeaseTime.OBSERVED);
        LockRow row = TestRows.heldBy("a")
                .leaseDuration(Duration.ofSeconds(5))
                .expiresAt(Times.instant(1_000))
                .clock(LeaseTime.OBSERVED)
                .build();

        assertThat(polling.observed(row, seen)).isFalse();
        assertThat(polling.observed(row, Times.at(5_003, LeaseTime.OBSERVED))).isFalse();
        assertThat(polling.observed(row, Times.at(5_004, LeaseTime.OBSERVED))).isTrue();
    }

    @Test
    void aimsAtDueTimeOfObservedRow() {
        LockRow row = TestRows.heldBy("a")
                .leaseDuration(Duration.ofSeconds(5))
                .expiresAt(Times.instant(1_000))
                .clock(LeaseTime.OBSERVED)
                .build();
        polling.observed(row, Times.at(0, LeaseTime.OBSERVED));

        chance = 0;

        assertThat(polling.next(Times.at(1_500, LeaseTime.OBSERVED)).acquires()).isFalse();
        assertThat(polling.next(Times.at(4_500, LeaseTime.OBSERVED)))
                .isEqualTo(new Poll(true, Times.nanos(5_003) + 500_000));
    }

    @Test
    void observesRowOnAnotherClock() {
        LockRow row = TestRows.heldBy("a")
                .leaseDuration(Duration.ofSeconds(5))
                .expiresAt(Times.instant(1_000))
                .clock(LeaseTime.SERVER)
                .build();

        assertThat(polling.observed(row, Times.at(0))).isFalse();
        assertThat(polling.observed(row, Times.at(5_003))).isFalse();
        assertThat(polling.next(Times.at(1_500)).acquires()).isFalse();
        assertThat(polling.next(Times.at(4_500)).acquires()).isTrue();
        assertThat(polling.observed(row, Times.at(5_004))).isTrue();
    }

    @Test
    void observationMayPrecedeEndWrittenByWrongClock() {
        LockRow anHourFast = TestRows.heldBy("a")
                .leaseDuration(Duration.ofSeconds(5))
                .expiresAt(Times.instant(3_600_000))
                .build();
        polling.observed(anHourFast, Times.at(0));

        chance = 0;

        assertThat(polling.next(Times.at(4_500))).isEqualTo(new Poll(true, Times.nanos(5_003) + 500_000));
        assertThat(polling.observed(anHourFast, Times.at(5_004))).isTrue();
    }

    @Test
    void absurdlyLateEndIsNotMistakenForEarlyEnd() {
        long overflowing = (1L << 58) / 15_625 + 1;
        LockRow never =
                TestRows.heldBy("a").expiresAt(Times.instant(overflowing - 501)).build();
        polling.rejected(never, Times.at(0));

        assertThat(overflowing * 1_000_000).isBetween(0L, 1_000_000L);
        assertThat(polling.next(Times.at(0))).isEqualTo(read(50));
    }

    private double chance() {
        return chance;
    }

    private static Poll read(long millis) {
        return new Poll(false, Times.nanos(millis));
    }

    @Test
    void triesAgainIfDeletedRowDisappearsTwice() {
        Observations observations = new Observations(10, Duration.ofSeconds(30));
        PollBackoff plan = new PollBackoff(Duration.ofMillis(50), Duration.ofSeconds(1), () -> 0.5);
        WaiterPolling waiter = new WaiterPolling(plan, observations, claims, "job", Times.nanos(0));
        waiter.rejected(TestRows.heldBy("a").build(), Times.at(0));

        boolean first = waiter.observed(LockRow.ABSENT, Times.at(1_000));
        waiter.rejected(TestRows.heldBy("a").build(), Times.at(1_001));
        boolean second = waiter.observed(LockRow.ABSENT, Times.at(2_000));

        assertThat(first).isTrue();
        assertThat(second).isTrue();
    }
}
