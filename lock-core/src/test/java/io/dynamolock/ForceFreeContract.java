/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.ForceFree;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Contract for freeing a lock by force. */
public interface ForceFreeContract extends StoreUnderTest {

    /**
     * Frees the lock whatever its row says.
     *
     * @return the response
     */
    default Response forceFree() {
        return forceFree(
                Objects.requireNonNull(store().readToFree(name(), TIMEOUT).row()));
    }

    /**
     * Frees the lock if its row is still the given one.
     *
     * @param seen the row as it was read
     * @return the response
     */
    default Response forceFree(LockRow seen) {
        return store().forceFree(new ForceFree(name(), seen, 100, NOW), TIMEOUT);
    }

    @Test
    default void freesHeldLockAndKeepsTokenFloor() {
        acquire("mine", 7, new Free());

        assertThat(forceFree().applied()).isTrue();

        assertThat(existingRow().isFree()).isTrue();
        assertThat(existingRow().tokenFloor()).isEqualTo(7);
        assertThat(existingRow().lastLeaseId()).isEqualTo("mine");
        assertThat(renew("mine", 1, END).applied()).isFalse();
        assertThat(acquire("next", 7, new Free()).applied()).isFalse();
        assertThat(acquire("next", 8, new Free()).applied()).isTrue();
    }

    @Test
    default void freesDetachedLease() {
        acquire("mine", 7, new Free());
        detach("mine", 1);

        forceFree();

        assertThat(existingRow().isFree()).isTrue();
        assertThat(existingRow().detached()).isFalse();
        assertThat(acquire("next", 8, new LockGuard.HeldBy("mine")).applied()).isFalse();
    }

    @Test
    default void repairsFreeRowWhoseFloorLeavesNoToken() {
        acquire("mine", (1L << 53) - 1, new Free());
        release("mine");
        assertThat(existingRow().isClosed()).isTrue();

        assertThat(forceFree().applied()).isTrue();

        assertThat(existingRow().isClosed()).isFalse();
        assertThat(existingRow().tokenFloor()).isEqualTo(100);
        assertThat(acquire("next", 100, new Free()).applied()).isFalse();
        assertThat(acquire("next", 101, new Free()).applied()).isTrue();
    }

    @Test
    default void createsNoRow() {
        Response response = forceFree(TestRows.heldBy("mine").build());

        assertThat(response.applied()).isFalse();
        assertThat(response.row()).isNull();
        assertThat(row()).isNull();
    }

    @Test
    default void leavesLeaseAcquiredAfterRead() {
        acquire("mine", 7, new Free());
        LockRow seen = existingRow();
        release("mine");
        acquire("theirs", 8, new Free());

        assertThat(forceFree(seen).applied()).isFalse();

        assertThat(existingRow().leaseId()).isEqualTo("theirs");
    }

    @Test
    default void keepsFloorRaisedAfterRead() {
        acquire("mine", 7, new Free());
        LockRow seen = existingRow();
        raiseFloor("other", 9);

        assertThat(forceFree(seen).applied()).isTrue();

        assertThat(existingRow().tokenFloor()).isEqualTo(9);
    }

    @Test
    default void leavesRowRepairedAfterRead() {
        acquire("mine", (1L << 53) - 1, new Free());
        LockRow seen = existingRow();
        forceFree(seen);

        assertThat(forceFree(seen).applied()).isFalse();
    }
}
