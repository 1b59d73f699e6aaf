/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockStore.Answer;
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

    @Test
    default void renewsLease() {
        acquire("mine", 7, new Free());

        Answer answer = store().renew(
                        Writes.renew(name(), "mine", 1, Duration.ofSeconds(40), LATER, LeaseTime.OBSERVED), TIMEOUT);

        assertApplied(answer);
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

        assertRefused(renew("mine", 5, LATER.plusSeconds(1)), renewed);
        assertRefused(renew("mine", 4, LATER.plusSeconds(1)), renewed);
        assertApplied(renew("mine", 6, END));
    }

    @Test
    default void refusesToRenewForeignLease() {
        LockRow held = acquire("theirs", 7, new Free()).row();

        assertRefused(renew("mine", 1, LATER), held);
    }

    @Test
    default void refusesToRenewRevokedLease() {
        acquire("mine", 7, new Free());
        revoke("mine");
        LockRow revoked = row();

        assertRefused(renew("mine", 1, LATER), revoked);
    }

    @Test
    default void refusesToRenewReleasedLease() {
        acquire("mine", 7, new Free());
        release("mine");
        LockRow free = row();

        assertRefused(renew("mine", 1, LATER), free);
    }

    @Test
    default void releasesLease() {
        acquire("mine", 7, new Free());
        revoke("mine");

        Answer answer = release("mine");

        assertApplied(answer);
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

        assertApplied(recording("mine", null, new LastHold("me", NOW, true)));

        assertThat(existingRow())
                .isEqualTo(LockRow.builder()
                        .fencingToken(7L)
                        .tokenFloor(7L)
                        .lastLeaseId("mine")
                        .lastHold(new LastHold("me", NOW, true))
                        .build());
    }

    @Test
    default void minHoldRecordsLastHold() {
        acquire("mine", 7, new Free());

        assertApplied(recording(
                "mine",
                Writes.rest(Duration.ofSeconds(5), NOW.plusSeconds(5), LeaseTime.SYSTEM),
                new LastHold("me", NOW, false)));

        assertThat(existingRow().leaseId()).isEqualTo("mine");
        assertThat(existingRow().lastHold()).isEqualTo(new LastHold("me", NOW, false));
    }

    @Test
    default void lastHoldIsKeptUntilNextRelease() {
        LastHold hold = new LastHold("first", NOW, false);
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
        var replaced = recording("second", null, new LastHold("second", LATER, true));
        assertThat(replaced.applied()).isFalse();
        assertThat(existingRow().lastHold()).isEqualTo(hold);
    }

    private Answer recording(String leaseId, @Nullable Rest rest, LastHold hold) {
        return store().release(new Release(name(), leaseId, NOW, rest, hold), TIMEOUT);
    }

    @Test
    default void reportsAlreadyReleasedLease() {
        acquire("mine", 7, new Free());
        release("mine");
        LockRow free = row();

        assertRefused(release("mine"), free);
        assertThat(existingRow().lastLeaseId()).isEqualTo("mine");
    }

    @Test
    default void refusesToReleaseForeignLease() {
        LockRow held = acquire("theirs", 7, new Free()).row();

        assertRefused(release("mine"), held);
        assertRefused(rest("mine", LATER), held);
    }

    @Test
    default void onlyAcquireOrFloorCreatesRow() {
        assertRefused(renew("mine", 1, LATER), null);
        assertRefused(release("mine"), null);
        assertRefused(rest("mine", LATER), null);
        assertRefused(revoke("mine"), null);
    }

    @Test
    default void lockInMinHoldStaysHeld() {
        acquire("mine", 7, new Free());

        Answer answer = store().release(
                        new Release(
                                name(),
                                "mine",
                                NOW,
                                Writes.rest(Duration.ofSeconds(5), NOW.plusSeconds(5), LeaseTime.SYSTEM)),
                        TIMEOUT);

        assertApplied(answer);
        assertThat(existingRow())
                .isEqualTo(LockRow.builder()
                        .leaseId("mine")
                        .owner("owner")
                        .fencingToken(7L)
                        .tokenFloor(7L)
                        .leaseDuration(Duration.ofSeconds(5))
                        .expiresAt(NOW.plusSeconds(5))
                        .clock(LeaseTime.SYSTEM)
                        .renewals(Rest.RENEWALS)
                        .acquiredAt(NOW)
                        .lastLeaseId("mine")
                        .build());
    }

    @Test
    default void lockInMinHoldIsNotRenewed() {
        acquire("mine", 7, new Free());
        rest("mine", END);
        LockRow resting = row();

        assertRefused(renew("mine", 1, LATER), resting);
        assertRefused(renew("mine", Rest.RENEWALS, LATER), resting);
    }

    @Test
    default void lockInMinHoldIsTakenOverAfterItsEnd() {
        acquire("first", 7, new Free());
        rest("first", END);
        LockRow resting = row();

        assertRefused(acquire("second", 8, freeOrExpired(END)), resting);
        assertThat(acquire("second", 8, freeOrExpired(PAST_END)).applied()).isTrue();
    }

    @Test
    default void lockInMinHoldIsTakenOverByObserver() {
        acquire("first", 7, new Free());
        rest("first", END);

        Answer answer = acquire("second", 8, new Unchanged("first", Rest.RENEWALS));

        assertThat(answer.applied()).isTrue();
        assertThat(existingRow().lastLeaseId()).isEqualTo("first");
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

        Answer answer = revoke("mine");

        assertApplied(answer);
        assertApplied(revoke("mine"));
        assertThat(existingRow().revoked()).isTrue();
        assertThat(existingRow().expiresAt()).isEqualTo(held.expiresAt());
        assertThat(existingRow().leaseId()).isEqualTo("mine");
    }

    @Test
    default void revokesNoOtherLease() {
        LockRow held = acquire("theirs", 7, new Free()).row();

        assertRefused(revoke("mine"), held);
        release("theirs");
        LockRow free = row();
        assertRefused(revoke("theirs"), free);
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

        assertRefused(renew("old", 1, LATER), resumed);
        assertRefused(release("old"), resumed);
        assertRefused(revoke("old"), resumed);
    }
}
