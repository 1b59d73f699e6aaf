/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Rest;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Contract for renewals, releases, minimum hold and revocation. */
public interface HolderContract extends StoreUnderTest {

    /** Lease end after a renewal. */
    Instant LATER = END.plusSeconds(10);

    /** Duration of a recorded hold. */
    Duration HELD_FOR = Duration.ofMillis(1_500);

    @Test
    default void renewsLease() {
        acquire("mine", 7, new Free());

        Response response = store().renew(
                        Writes.renew(name(), "mine", 1, Duration.ofSeconds(40), LATER, LeaseTime.OBSERVED), TIMEOUT);

        assertApplied(response);
        assertThat(existingRow())
                .isEqualTo(LockRow.builder()
                        .leaseId("mine")
                        .owner("owner")
                        .fencingToken(7L)
                        .tokenFloor(7L)
                        .leaseDuration(Duration.ofSeconds(40))
                        .expiresAt(LATER)
                        .clock(LeaseTime.OBSERVED)
                        .renewals(1L)
                        .acquiredAt(NOW)
                        .build());
    }

    @Test
    default void renewsOnlyWithHigherNumber() {
        acquire("mine", 7, new Free());
        renew("mine", 5, LATER);
        LockRow renewed = row();

        assertRejected(renew("mine", 5, LATER.plusSeconds(1)), renewed);
        assertRejected(renew("mine", 4, LATER.plusSeconds(1)), renewed);
        assertApplied(renew("mine", 6, END));
    }

    @Test
    default void rejectsToRenewForeignLease() {
        LockRow held = acquired("theirs", 7, new Free());

        assertRejected(renew("mine", 1, LATER), held);
    }

    @Test
    default void rejectsToRenewRevokedLease() {
        acquire("mine", 7, new Free());
        revoke("mine");
        LockRow revoked = row();

        assertRejected(renew("mine", 1, LATER), revoked);
    }

    @Test
    default void rejectsToRenewReleasedLease() {
        acquire("mine", 7, new Free());
        release("mine");
        LockRow free = row();

        assertRejected(renew("mine", 1, LATER), free);
    }

    @Test
    default void releasesLease() {
        acquire("mine", 7, new Free());
        revoke("mine");

        Response response = release("mine");

        assertApplied(response);
        assertThat(existingRow())
                .isEqualTo(LockRow.builder()
                        .fencingToken(7L)
                        .tokenFloor(7L)
                        .lastLeaseId("mine")
                        .build());
    }

    @Test
    default void releaseRecordsLastHold() {
        acquire("mine", 7, new Free());

        assertApplied(recording("mine", null, new LastHold("me", NOW, HELD_FOR, true)));

        assertThat(existingRow())
                .isEqualTo(LockRow.builder()
                        .fencingToken(7L)
                        .tokenFloor(7L)
                        .lastLeaseId("mine")
                        .lastHold(new LastHold("me", NOW, HELD_FOR, true))
                        .build());
    }

    @Test
    default void minHoldRecordsLastHold() {
        acquire("mine", 7, new Free());

        assertApplied(recording(
                "mine",
                Writes.rest(Duration.ofSeconds(5), NOW.plusSeconds(5), LeaseTime.SYSTEM),
                new LastHold("me", NOW, HELD_FOR, false)));

        assertThat(existingRow().leaseId()).isEqualTo("mine");
        assertThat(existingRow().lastHold()).isEqualTo(new LastHold("me", NOW, HELD_FOR, false));
    }

    @Test
    default void lastHoldIsKeptUntilNextRelease() {
        LastHold hold = new LastHold("first", NOW, HELD_FOR, false);
        acquire("first", 7, new Free());
        var unused = recording("first", null, hold);

        acquire("second", 8, new Free());
        assertThat(existingRow().lastHold()).isEqualTo(hold);
        renew("second", 1, LATER);
        revoke("second");
        assertThat(existingRow().lastHold()).isEqualTo(hold);
        release("second");
        assertThat(existingRow().lastHold()).isEqualTo(hold);
        raiseFloor("third", 12);
        assertThat(existingRow().lastHold()).isEqualTo(hold);
        var replaced = recording("second", null, new LastHold("second", LATER, HELD_FOR, true));
        assertThat(replaced.applied()).isFalse();
        assertThat(existingRow().lastHold()).isEqualTo(hold);
    }

    private Response recording(String leaseId, @Nullable Rest rest, LastHold hold) {
        return store().release(new Release(name(), leaseId, NOW, rest, hold), TIMEOUT);
    }

    @Test
    default void reportsAlreadyReleasedLease() {
        acquire("mine", 7, new Free());
        release("mine");
        LockRow free = row();

        assertRejected(release("mine"), free);
        assertThat(existingRow().lastLeaseId()).isEqualTo("mine");
    }

    @Test
    default void rejectsToReleaseForeignLease() {
        LockRow held = acquired("theirs", 7, new Free());

        assertRejected(release("mine"), held);
        assertRejected(rest("mine", LATER), held);
    }

    @Test
    default void onlyAcquireOrFloorCreatesRow() {
        assertRejected(renew("mine", 1, LATER), null);
        assertRejected(release("mine"), null);
        assertRejected(rest("mine", LATER), null);
        assertRejected(revoke("mine"), null);
    }

    @Test
    default void lockInMinHoldStaysHeld() {
        acquire("mine", 7, new Free());

        Response response = store().release(
                        new Release(
                                name(),
                                "mine",
                                NOW,
                                Writes.rest(Duration.ofSeconds(5), NOW.plusSeconds(5), LeaseTime.SYSTEM)),
                        TIMEOUT);

        assertApplied(response);
        assertThat(existingRow())
                .isEqualTo(LockRow.builder()
                        .leaseId("mine")
                        .owner("owner")
                        .fencingToken(7L)
                        .tokenFloor(7L)
                        .leaseDuration(Duration.ofSeconds(5))
                        .expiresAt(NOW.plusSeconds(5))
                        .clock(LeaseTime.SYSTEM)
                        .renewals(Rest.FIRST)
                        .acquiredAt(NOW)
                        .lastLeaseId("mine")
                        .build());
    }

    @Test
    default void lockInMinHoldIsNotRenewed() {
        acquire("mine", 7, new Free());
        rest("mine", END);
        LockRow resting = row();

        assertRejected(renew("mine", 1, LATER), resting);
        assertRejected(renew("mine", Rest.FIRST, LATER), resting);
    }

    @Test
    default void endOfKeptLockIsChangedByHigherNumbersOnly() {
        acquire("mine", 7, new Free());
        rest("mine", END, Rest.FIRST);
        LockRow resting = existingRow();

        assertApplied(rest("mine", LATER, Rest.FIRST + 1));

        LockRow changed = existingRow();
        assertThat(changed)
                .isEqualTo(resting.toBuilder()
                        .expiresAt(LATER)
                        .leaseDuration(Duration.between(NOW, LATER))
                        .renewals(Rest.FIRST + 1)
                        .build());
        assertThat(changed.isKept()).isTrue();
        assertRejected(rest("mine", END, Rest.FIRST), changed);
        assertRejected(rest("mine", END, Rest.FIRST + 1), changed);
        assertRejected(acquire("second", 8, new Unchanged("mine", Rest.FIRST)), changed);
    }

    /** Such a row was changed by hand. */
    @Test
    default void lockWhoseNumberNoReleaseHasWrittenIsKept() {
        acquire("mine", 7, new Free());
        assertApplied(renew("mine", Rest.LAST + 1, LATER));
        assertThat(existingRow().isKept()).isFalse();

        assertApplied(rest("mine", END, Rest.FIRST));

        assertThat(existingRow().isKept()).isTrue();
    }

    @Test
    default void lockInMinHoldIsTakenOverAfterItsEnd() {
        acquire("first", 7, new Free());
        rest("first", END);
        LockRow resting = row();

        assertRejected(acquire("second", 8, freeOrExpired(END)), resting);
        assertThat(acquire("second", 8, freeOrExpired(PAST_END)).applied()).isTrue();
    }

    @Test
    default void lockInMinHoldIsTakenOverByObserver() {
        acquire("first", 7, new Free());
        rest("first", END);

        Response response = acquire("second", 8, new Unchanged("first", Rest.FIRST));

        assertThat(response.applied()).isTrue();
        assertThat(existingRow().lastLeaseId()).isEqualTo("first");
    }

    @Test
    default void lockIsKeptForHundredYears() {
        Instant end = NOW.plus(Duration.ofDays(36_501));
        acquire("mine", 7, new Free());

        assertApplied(rest("mine", end));

        assertThat(existingRow().leaseDuration()).isEqualTo(Duration.ofDays(36_501));
        assertThat(existingRow().expiresAt()).isEqualTo(end);
        assertThat(existingRow().defects()).isEmpty();
        assertRejected(acquire("second", 8, freeOrExpired(end)), existingRow());
        assertThat(acquire("second", 8, freeOrExpired(end.plusMillis(1))).applied())
                .isTrue();
    }

    @Test
    default void lockInMinHoldCanBeFreed() {
        acquire("mine", 7, new Free());
        rest("mine", END);

        assertApplied(release("mine"));
        assertThat(existingRow().isFree()).isTrue();
    }

    @Test
    default void revokesLease() {
        acquire("mine", 7, new Free());
        LockRow held = existingRow();

        Response response = revoke("mine");

        assertApplied(response);
        assertApplied(revoke("mine"));
        assertThat(existingRow().revoked()).isTrue();
        assertThat(existingRow().expiresAt()).isEqualTo(held.expiresAt());
        assertThat(existingRow().leaseId()).isEqualTo("mine");
    }

    @Test
    default void revokesNoOtherLease() {
        LockRow held = acquired("theirs", 7, new Free());

        assertRejected(revoke("mine"), held);
        release("theirs");
        LockRow free = row();
        assertRejected(revoke("theirs"), free);
    }

    @Test
    default void nextLeaseAfterRevocationIsNotRevoked() {
        acquire("old", 7, new Free());
        revoke("old");

        acquire("new", 8, freeOrExpired(PAST_END));

        assertApplied(renew("new", 1, LATER));
    }

    @Test
    default void oldIdIsInvalidAfterResume() {
        acquire("old", 7, new Free());
        detach("old", 1);
        LockRow resumed = acquire("new", 8, new HeldBy("old")).row();

        assertRejected(renew("old", 1, LATER), resumed);
        assertRejected(release("old"), resumed);
        assertRejected(revoke("old"), resumed);
    }
}
