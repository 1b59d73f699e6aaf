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
import io.dynamolock.LockWrite.Acquire;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writes that arrive twice or late, and the token floor that blocks writes which may still be in flight. */
public interface LateCopyContract extends StoreUnderTest {

    @Test
    default void duplicateAcquireFindsOwnLease() {
        Acquire write = acquisition("mine", 7, freeOrExpired(NOW));
        store().acquire(write, TIMEOUT);
        LockRow held = existingRow();

        assertRejected(store().acquire(write, TIMEOUT), held);
        assertThat(existingRow().isHeldBy("mine")).isTrue();
    }

    @Test
    default void duplicateAcquireFailsAfterRelease() {
        acquire("mine", 7, freeOrExpired(NOW));
        release("mine");
        LockRow free = row();

        assertRejected(acquire("mine", 7, freeOrExpired(NOW)), free);
    }

    @Test
    default void duplicateAcquireFailsAfterOtherHolders() {
        acquire("mine", 7, freeOrExpired(NOW));
        release("mine");
        acquire("theirs", 8, freeOrExpired(NOW));
        LockRow held = row();
        assertRejected(acquire("mine", 7, freeOrExpired(PAST_END)), held);
        release("theirs");
        LockRow free = row();

        assertRejected(acquire("mine", 7, freeOrExpired(PAST_END)), free);
    }

    @Test
    default void duplicateTakeoverFailsOnceApplied() {
        acquire("first", 7, new Free());
        acquire("second", 8, new Unchanged("first", 0L));
        detach("second", 1);
        acquire("third", 9, new HeldBy("second"));
        LockRow held = row();

        assertRejected(acquire("second", 8, new Unchanged("first", 0L)), held);
        assertRejected(acquire("third", 9, new HeldBy("second")), held);
    }

    @Test
    default void duplicateRenewalDoesNotShortenLaterOne() {
        acquire("mine", 7, new Free());
        renew("mine", 1, END.plusSeconds(10));
        renew("mine", 2, END.plusSeconds(20));
        LockRow renewed = row();

        assertRejected(renew("mine", 1, END.plusSeconds(10)), renewed);
    }

    @Test
    default void duplicateRenewalFindsItselfApplied() {
        acquire("mine", 7, new Free());
        renew("mine", 1, END.plusSeconds(10));

        Response copy = renew("mine", 1, END.plusSeconds(10));

        assertRejected(copy, row());
        assertThat(existingRow().renewals()).isOne();
        assertThat(existingRow().expiresAt()).isEqualTo(END.plusSeconds(10));
    }

    @Test
    default void duplicateRenewalDoesNotReviveLease() {
        acquire("mine", 7, new Free());
        release("mine");
        LockRow free = row();
        assertRejected(renew("mine", 1, END.plusSeconds(10)), free);
        LockRow held = acquired("theirs", 8, new Free());

        assertRejected(renew("mine", 1, END.plusSeconds(10)), held);
    }

    @Test
    default void duplicateReleaseDoesNotFreeNextLease() {
        acquire("mine", 7, new Free());
        release("mine");
        LockRow held = acquired("theirs", 8, new Free());

        assertRejected(release("mine"), held);
        assertRejected(rest("mine", END), held);
    }

    @Test
    default void minHoldReleaseMayArriveTwice() {
        acquire("mine", 7, new Free());
        rest("mine", END);
        LockRow resting = row();

        assertRejected(rest("mine", END), resting);
    }

    @Test
    default void floorCreatesRow() {
        assertApplied(raiseFloor("mine", 7));

        assertThat(row()).isEqualTo(LockRow.builder().tokenFloor(7L).build());
    }

    @Test
    default void floorBlocksAcquireWithItsToken() {
        raiseFloor("mine", 7);
        LockRow free = row();

        for (LockGuard guard : List.of(new Free(), freeOrExpired(NOW))) {
            assertRejected(acquire("mine", 7, guard), free);
        }
        assertThat(acquire("theirs", 8, new Free()).applied()).isTrue();
    }

    @Test
    default void floorIsRaisedUnderAnotherHolder() {
        acquire("theirs", 7, new Free());
        LockRow held = existingRow();

        Response response = raiseFloor("mine", 9);

        assertApplied(response);
        assertThat(existingRow().tokenFloor()).isEqualTo(9);
        assertThat(existingRow().fencingToken()).isEqualTo(7);
        assertThat(existingRow().expiresAt()).isEqualTo(held.expiresAt());
        assertApplied(renew("theirs", 1, END));
        assertApplied(release("theirs"));
    }

    @Test
    default void floorIsRaisedOnFreeRow() {
        acquire("theirs", 7, new Free());
        release("theirs");

        assertApplied(raiseFloor("mine", 9));
        assertThat(existingRow().tokenFloor()).isEqualTo(9);
        assertThat(existingRow().lastLeaseId()).isEqualTo("theirs");
    }

    @Test
    default void floorIsNotRaisedUnderTheLeaseItTargets() {
        LockRow held = acquired("mine", 7, new Free());

        assertRejected(raiseFloor("mine", 7), held);
        assertRejected(raiseFloor("mine", 9), held);
    }

    @Test
    default void floorIsNeverLowered() {
        raiseFloor("others", 9);
        LockRow free = row();

        assertRejected(raiseFloor("mine", 9), free);
        assertRejected(raiseFloor("mine", 8), free);
    }
}
