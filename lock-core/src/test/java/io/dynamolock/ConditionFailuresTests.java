/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static io.dynamolock.TestRows.free;
import static io.dynamolock.TestRows.heldBy;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.ConditionFailures.AcquireRefusal;
import io.dynamolock.ConditionFailures.RenewRefusal;
import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockWrite.Acquire;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ConditionFailuresTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final long PAST_END = 30_501;

    // acquire

    @Test
    void acquireRejectedByOwnLeaseWasApplied() {
        assertThat(acquire(heldBy("mine", 2_000).build(), 0)).isEqualTo(AcquireRefusal.ACQUIRED);
    }

    @Test
    void ownerAloneDoesNotIdentifyAnAcquire() {
        LockRow sameOwner = LockRow.builder()
                .leaseId("other")
                .owner("owner of mine")
                .fencingToken(1_000L)
                .tokenFloor(1_000L)
                .leaseDuration(LEASE)
                .expiresAt(Instant.ofEpochMilli(Times.START_MILLIS + 30_000))
                .clock(LeaseTime.SYSTEM)
                .renewals(0L)
                .build();

        assertThat(acquire(sameOwner, 0)).isEqualTo(AcquireRefusal.BUSY);
    }

    @Test
    void observedTakeoverIsRetriedIfOnlyHigherTokenRejectedIt() {
        LockRow row = heldBy("other", 2_000).expiresAt(null).build();

        assertThat(acquire(row, new Unchanged("other", 0L), 0)).isEqualTo(AcquireRefusal.RETRY);
        assertThat(acquire(row, new Unchanged("other", 1L), 0)).isEqualTo(AcquireRefusal.BUSY);
        assertThat(acquire(row, new Unchanged("another", 0L), 0)).isEqualTo(AcquireRefusal.BUSY);
    }

    @Test
    void acquireRejectedByAnotherLeaseIsBusy() {
        assertThat(acquire(heldBy("other").build(), 0)).isEqualTo(AcquireRefusal.BUSY);
    }

    @Test
    void acquireRejectedByFreeRowWasOutbid() {
        assertThat(acquire(free(9_000).build(), 0)).isEqualTo(AcquireRefusal.RETRY);
    }

    @Test
    void acquireRejectedWithoutRowIsResent() {
        assertThat(acquire(null, 0)).isEqualTo(AcquireRefusal.RETRY);
    }

    @Test
    void acquireRejectedByExpiredRowWithHighTokenWasOutbid() {
        LockRow asHigh = heldBy("other", 2_000).build();
        LockRow lower = heldBy("other", 1_999).build();

        assertThat(acquire(asHigh, PAST_END)).isEqualTo(AcquireRefusal.RETRY);
        assertThat(acquire(asHigh, PAST_END - 1)).isEqualTo(AcquireRefusal.BUSY);
        assertThat(acquire(lower, PAST_END)).isEqualTo(AcquireRefusal.BUSY);
    }

    @Test
    void tokenFloorOutbidsLikeToken() {
        assertThat(acquire(heldBy("other").tokenFloor(2_000L).build(), PAST_END))
                .isEqualTo(AcquireRefusal.RETRY);
    }

    // lease end

    @Test
    void rowExpiresWhenEarliestNowPassesItsEnd() {
        LockRow row = heldBy("other").expiresAt(Times.instant(30_000)).build();

        assertThat(ConditionFailures.isPastEnd(row, Times.at(30_500))).isFalse();
        assertThat(ConditionFailures.isPastEnd(row, Times.at(30_501))).isTrue();
    }

    @Test
    void rowOnAnotherClockNeverExpires() {
        LockRow byServer = heldBy("other").clock(LeaseTime.SERVER).build();
        LockRow unknown = heldBy("other").clock(null).build();
        LockRow observed = heldBy("other").clock(LeaseTime.OBSERVED).build();

        assertThat(ConditionFailures.isPastEnd(byServer, Times.at(99_000_000))).isFalse();
        assertThat(ConditionFailures.isPastEnd(unknown, Times.at(99_000_000))).isFalse();
        assertThat(ConditionFailures.isPastEnd(observed, Times.at(99_000_000, LeaseTime.OBSERVED)))
                .isFalse();
    }

    @Test
    void rowWithoutEndNeverExpires() {
        assertThat(ConditionFailures.isPastEnd(heldBy("other").expiresAt(null).build(), Times.at(99_000_000)))
                .isFalse();
    }

    // renew

    @Test
    void renewalRejectedByItsOwnNumberAndEndWasApplied() {
        LockRow row =
                heldBy("mine").renewals(4L).expiresAt(Times.instant(50_000)).build();

        assertThat(renewal(row)).isEqualTo(new RenewRefusal.Applied());
    }

    @Test
    void renewalRejectedByNewerRenewalTakesRowEnd() {
        LockRow row =
                heldBy("mine").renewals(5L).expiresAt(Times.instant(35_000)).build();

        assertThat(renewal(row)).isEqualTo(new RenewRefusal.Overtaken(Times.START_MILLIS + 35_000));
    }

    @Test
    void renewalWithSameNumberButOtherEndIsForeign() {
        LockRow row =
                heldBy("mine").renewals(4L).expiresAt(Times.instant(35_000)).build();

        assertThat(renewal(row)).isEqualTo(new RenewRefusal.Overtaken(Times.START_MILLIS + 35_000));
    }

    @Test
    void renewalWithSameEndButOtherNumberIsForeign() {
        LockRow row =
                heldBy("mine").renewals(5L).expiresAt(Times.instant(50_000)).build();

        assertThat(renewal(row)).isEqualTo(new RenewRefusal.Overtaken(Times.START_MILLIS + 50_000));
    }

    @Test
    void rowWithoutEndGivesNoEnd() {
        LockRow row = heldBy("mine").renewals(4L).expiresAt(null).build();

        assertThat(renewal(row)).isEqualTo(new RenewRefusal.Overtaken(0));
    }

    @Test
    void renewalRejectedWithoutRowMeansDeleted() {
        assertThat(renewal(null)).isEqualTo(new RenewRefusal.Gone(Reason.DELETED, null));
    }

    @Test
    void renewalRejectedByAnotherLeaseMeansTakeover() {
        assertThat(renewal(heldBy("other").build())).isEqualTo(new RenewRefusal.Gone(Reason.TAKEN, "owner of other"));
    }

    @Test
    void renewalRejectedByRevokedRowMeansRevokedEvenIfApplied() {
        LockRow row = heldBy("mine")
                .renewals(4L)
                .expiresAt(Times.instant(50_000))
                .revoked(true)
                .build();

        assertThat(renewal(row)).isEqualTo(new RenewRefusal.Gone(Reason.REVOKED, null));
    }

    @Test
    void renewalRejectedByRowFreeingOwnLeaseMeansForcedRelease() {
        assertThat(renewal(free().lastLeaseId("mine").build())).isEqualTo(new RenewRefusal.Gone(Reason.REVOKED, null));
    }

    @Test
    void renewalRejectedByRowFreeingAnotherLeaseMeansTakeover() {
        assertThat(renewal(free().lastLeaseId("other").build())).isEqualTo(new RenewRefusal.Gone(Reason.TAKEN, null));
        assertThat(renewal(free().build())).isEqualTo(new RenewRefusal.Gone(Reason.TAKEN, null));
        assertThat(renewal(free().owner("mine, left over").build()))
                .isEqualTo(new RenewRefusal.Gone(Reason.TAKEN, null));
    }

    @Test
    void leaseStillInRowExpiredWithoutResponse() {
        assertThat(ConditionFailures.gone("mine", heldBy("mine").build()))
                .isEqualTo(new RenewRefusal.Gone(Reason.UNREACHABLE, null));
    }

    @Test
    void successorAfterOwnReleaseIsNotRevocation() {
        LockRow row = heldBy("other").lastLeaseId("mine").build();

        assertThat(ConditionFailures.gone("mine", row))
                .isEqualTo(new RenewRefusal.Gone(Reason.TAKEN, "owner of other"));
    }

    // release

    @Test
    void releaseRejectedWithoutRowMeansGone() {
        assertThat(ConditionFailures.ofRejectedRelease("mine", null, false)).isEqualTo(ReleaseOutcome.ALREADY_GONE);
        assertThat(ConditionFailures.ofRejectedRelease("mine", null, true)).isEqualTo(ReleaseOutcome.ALREADY_GONE);
    }

    @Test
    void unansweredReleaseIsRecognizedInRow() {
        assertThat(ConditionFailures.ofRejectedRelease(
                        "mine", free().lastLeaseId("mine").build(), true))
                .isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void unansweredReleaseIsRecognizedUnderSuccessor() {
        assertThat(ConditionFailures.ofRejectedRelease(
                        "mine", heldBy("other").lastLeaseId("mine").build(), true))
                .isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void releaseByAnotherProcessIsNotClaimed() {
        assertThat(ConditionFailures.ofRejectedRelease(
                        "mine", free().lastLeaseId("mine").build(), false))
                .isEqualTo(ReleaseOutcome.ALREADY_GONE);
        assertThat(ConditionFailures.ofRejectedRelease(
                        "mine", free().lastLeaseId("other").build(), true))
                .isEqualTo(ReleaseOutcome.ALREADY_GONE);
    }

    @Test
    void releaseRejectedByAnotherLeaseMeansNotOwner() {
        assertThat(ConditionFailures.ofRejectedRelease("mine", heldBy("other").build(), false))
                .isEqualTo(ReleaseOutcome.NOT_OWNED);
        assertThat(ConditionFailures.ofRejectedRelease("mine", heldBy("other").build(), true))
                .isEqualTo(ReleaseOutcome.NOT_OWNED);
    }

    private static AcquireRefusal acquire(@Nullable LockRow row, long sentAt) {
        return acquire(row, new Free(), sentAt);
    }

    private static AcquireRefusal acquire(@Nullable LockRow row, LockGuard guard, long sentAt) {
        Acquire write = Writes.acquire(
                "job",
                "mine",
                "owner of mine",
                2_000,
                LEASE,
                Instant.EPOCH,
                Instant.EPOCH,
                LeaseTime.SYSTEM,
                Map.of(),
                guard);
        return ConditionFailures.ofAcquire(write, row, Times.at(sentAt));
    }

    private static RenewRefusal renewal(@Nullable LockRow row) {
        Instant end = Instant.ofEpochMilli(Times.START_MILLIS + 50_000);
        return ConditionFailures.ofRenewal(Writes.renew("job", "mine", 4, LEASE, end, LeaseTime.SYSTEM), row);
    }
}
