/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.Claim;
import io.dynamolock.LockWrite.WithdrawClaim;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Contract for claims of the next turn. */
public interface ClaimContract extends StoreUnderTest {

    /** A claim. */
    TurnClaim SENIOR = TurnClaim.of(5, Duration.ofMillis(1_500), "senior");

    /** A claim of a process that has waited for less time. */
    TurnClaim JUNIOR = TurnClaim.of(6, Duration.ofMillis(1_500), "junior");

    /**
     * Claims the next turn.
     *
     * @param claim to write
     * @return the response
     */
    default Response claim(TurnClaim claim) {
        return store().claim(new Claim(name(), claim), TIMEOUT);
    }

    /**
     * Withdraws a claim.
     *
     * @param claim to remove
     * @return the response
     */
    default Response withdraw(TurnClaim claim) {
        return store().withdrawClaim(new WithdrawClaim(name(), claim), TIMEOUT);
    }

    /**
     * Acquires the lock despite a claim.
     *
     * @param claim its text
     * @param guard the condition
     * @return the response
     */
    default Response acquirePast(String claim, LockGuard guard) {
        return store().acquire(
                        new Acquire(
                                name(),
                                "mine",
                                "owner",
                                8,
                                LEASE,
                                NOW,
                                END,
                                LeaseTime.SERVER,
                                Map.of(),
                                guard,
                                NOW,
                                claim),
                        TIMEOUT);
    }

    @Test
    default void claimsTurnUnderLease() {
        acquire("theirs", 7, new Free());
        LockRow held = existingRow();

        assertApplied(claim(JUNIOR));

        assertThat(existingRow()).isEqualTo(held.toBuilder().claim(JUNIOR).build());
    }

    @Test
    default void claimsNoFreeLock() {
        assertThat(claim(JUNIOR).applied()).isFalse();
        assertThat(row()).isNull();

        acquire("theirs", 7, new Free());
        release("theirs");
        LockRow free = existingRow();

        assertRejected(claim(JUNIOR), free);
    }

    @Test
    default void seniorClaimReplacesJuniorOne() {
        acquire("theirs", 7, new Free());
        claim(JUNIOR);

        assertApplied(claim(SENIOR));

        LockRow claimed = existingRow();
        assertThat(claimed.claim()).isEqualTo(SENIOR);
        assertRejected(claim(JUNIOR), claimed);
        assertRejected(claim(SENIOR), claimed);
    }

    @Test
    default void withdrawsOnlyThisClaim() {
        acquire("theirs", 7, new Free());
        LockRow unclaimed = existingRow();
        claim(SENIOR);
        LockRow claimed = existingRow();

        assertRejected(withdraw(JUNIOR), claimed);
        assertApplied(withdraw(SENIOR));
        assertThat(row()).isEqualTo(unclaimed);
        assertRejected(withdraw(SENIOR), unclaimed);
    }

    @Test
    default void withdrawsClaimOfFreeLock() {
        acquire("theirs", 7, new Free());
        claim(SENIOR);
        release("theirs");

        assertApplied(withdraw(SENIOR));

        assertThat(acquire("mine", 8, new Free()).applied()).isTrue();
    }

    @Test
    default void renewalAndReleaseKeepClaim() {
        acquire("theirs", 7, new Free());
        claim(SENIOR);

        renew("theirs", 1, PAST_END);
        assertThat(existingRow().claim()).isEqualTo(SENIOR);

        release("theirs");
        assertThat(existingRow().claim()).isEqualTo(SENIOR);
        assertThat(existingRow().isFree()).isTrue();
    }

    @Test
    default void freeLockIsAcquiredOnlyPastItsClaim() {
        acquire("theirs", 7, new Free());
        claim(SENIOR);
        release("theirs");
        LockRow reserved = existingRow();

        assertRejected(acquire("mine", 8, new Free()), reserved);
        assertRejected(acquire("mine", 8, freeOrExpired(PAST_END)), reserved);
        assertRejected(acquire("mine", 8, new Unchanged("theirs", 0L)), reserved);
        assertRejected(acquirePast(JUNIOR.text(), new Free()), reserved);
        assertRejected(acquirePast("", freeOrExpired(PAST_END)), reserved);

        Response response = acquirePast(SENIOR.text(), freeOrExpired(NOW));

        assertThat(response.applied()).isTrue();
        assertThat(existingRow().leaseId()).isEqualTo("mine");
        assertThat(existingRow().claim()).isNull();
    }

    @Test
    default void claimNeverOpensHeldLock() {
        acquire("theirs", 7, new Free());
        claim(SENIOR);
        LockRow held = existingRow();

        assertRejected(acquirePast(SENIOR.text(), new Free()), held);
        assertRejected(acquirePast(SENIOR.text(), freeOrExpired(END)), held);
    }

    @Test
    default void takeoverDisregardsAndRemovesClaim() {
        acquire("theirs", 7, new Free());
        claim(SENIOR);

        assertThat(acquire("mine", 8, freeOrExpired(PAST_END)).applied()).isTrue();

        assertThat(existingRow().claim()).isNull();
    }

    @Test
    default void takeoverByObservationDisregardsAndRemovesClaim() {
        acquire("theirs", 7, new Free());
        claim(SENIOR);

        assertThat(acquire("mine", 8, new Unchanged("theirs", 0L)).applied()).isTrue();

        assertThat(existingRow().claim()).isNull();
    }

    @Test
    default void freeingByForceRemovesClaim() {
        acquire("theirs", 7, new Free());
        claim(SENIOR);

        Response freed = store().forceFree(new LockWrite.ForceFree(name(), existingRow(), 100, NOW), TIMEOUT);

        assertThat(freed.applied()).isTrue();
        assertThat(existingRow().claim()).isNull();
        assertThat(acquire("mine", 8, new Free()).applied()).isTrue();
    }
}
