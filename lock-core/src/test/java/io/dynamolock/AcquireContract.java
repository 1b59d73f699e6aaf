/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynamolock.LockGuard.Free;
import io.dynamolock.LockGuard.FreeOrExpired;
import io.dynamolock.LockGuard.HeldBy;
import io.dynamolock.LockGuard.Unchanged;
import io.dynamolock.LockStore.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Contract for acquire conditions. */
public interface AcquireContract extends StoreUnderTest {

    @Test
    default void acquiresLockWithoutRow() {
        Answer answer = acquire("mine", 7, new Free());

        LockRow expected = LockRow.builder()
                .leaseId("mine")
                .owner("owner")
                .fencingToken(7L)
                .tokenFloor(7L)
                .leaseDuration(LEASE)
                .expiresAt(END)
                .clock(LeaseTime.SERVER)
                .renewals(0L)
                .acquiredAt(NOW)
                .build();
        assertThat(answer.applied()).isTrue();
        assertThat(answer.row()).isEqualTo(expected);
        assertThat(row()).isEqualTo(expected);
    }

    @Test
    default void acquiresReleasedLockWithHigherToken() {
        acquire("first", 7, new Free());
        release("first");

        Answer answer = acquire("second", 8, new Free());

        assertThat(answer.applied()).isTrue();
        assertThat(existingRow().leaseId()).isEqualTo("second");
        assertThat(existingRow().fencingToken()).isEqualTo(8);
        assertThat(existingRow().tokenFloor()).isEqualTo(8);
        assertThat(existingRow().lastLeaseId()).isEqualTo("first");
    }

    @Test
    default void refusedAcquireReturnsHolder() {
        LockRow held = acquire("theirs", 7, new Free()).row();

        Answer answer = acquire("mine", 8, new Free());

        assertRefused(answer, held);
    }

    @Test
    default void refusesUsedUpToken() {
        acquire("theirs", 7, new Free());
        release("theirs");
        LockRow free = row();

        assertRefused(acquire("mine", 7, new Free()), free);
        assertRefused(acquire("mine", 6, new Free()), free);
        assertRefused(acquire("mine", 7, freeOrExpired(PAST_END)), free);
    }

    @Test
    default void refusesTakeoverWithUsedUpToken() {
        LockRow held = acquire("theirs", 7, new Free()).row();

        assertRefused(acquire("mine", 7, freeOrExpired(PAST_END)), held);
        assertRefused(acquire("mine", 7, new Unchanged("theirs", 0L)), held);
        assertRefused(acquire("mine", 7, new HeldBy("theirs")), held);
    }

    @Test
    default void timeBasedGuardAcquiresFreeLock() {
        Answer unknown = acquire("first", 7, freeOrExpired(NOW));
        release("first");
        Answer released = acquire("second", 8, freeOrExpired(NOW));

        assertThat(unknown.applied()).isTrue();
        assertThat(released.applied()).isTrue();
    }

    @Test
    default void takesOverAfterLeaseEnd() {
        acquire("theirs", 7, new Free());

        Answer answer = acquire("mine", 8, freeOrExpired(PAST_END));

        assertThat(answer.applied()).isTrue();
        assertThat(existingRow().leaseId()).isEqualTo("mine");
        assertThat(existingRow().lastLeaseId()).isNull();
    }

    @Test
    default void refusesTakeoverUpToAndAtLeaseEnd() {
        LockRow held = acquire("theirs", 7, new Free()).row();

        assertRefused(acquire("mine", 8, freeOrExpired(END)), held);
        assertRefused(acquire("mine", 8, freeOrExpired(END.plusNanos(999_999))), held);
        assertRefused(acquire("mine", 8, freeOrExpired(NOW)), held);
    }

    @Test
    default void refusesTakeoverWhenEndUsesAnotherClock() {
        LockRow held = acquire("theirs", 7, new Free()).row();

        Answer answer = acquire("mine", 8, new FreeOrExpired(PAST_END, LeaseTime.SYSTEM));

        assertRefused(answer, held);
    }

    @Test
    default void takesOverUnchangedRow() {
        acquire("theirs", 7, new Free());
        renew("theirs", 3, END);

        Answer answer = acquire("mine", 8, new Unchanged("theirs", 3L));

        assertThat(answer.applied()).isTrue();
        assertThat(existingRow().leaseId()).isEqualTo("mine");
        assertThat(existingRow().renewals()).isZero();
    }

    @Test
    default void refusesTakeoverOfChangedRow() {
        acquire("theirs", 7, new Free());
        renew("theirs", 1, END);
        LockRow held = row();

        assertRefused(acquire("mine", 8, new Unchanged("theirs", 0L)), held);
        assertRefused(acquire("mine", 8, new Unchanged("theirs", 2L)), held);
        assertRefused(acquire("mine", 8, new Unchanged("theirs", null)), held);
        assertRefused(acquire("mine", 8, new Unchanged("others", 1L)), held);
    }

    @Test
    default void observerAcquiresLockReleasedMeanwhile() {
        Answer never = acquire("theirs", 7, new Unchanged("nobodys", 0L));
        release("theirs");
        Answer released = acquire("mine", 8, new Unchanged("theirs", 0L));

        assertThat(never.applied()).isTrue();
        assertThat(released.applied()).isTrue();
        assertThat(row()).extracting(LockRow::leaseId).isEqualTo("mine");
    }

    @Test
    default void resumesLeaseUnderNewId() {
        acquire("old", 7, new Free());
        detach("old", 4);

        Answer answer = acquire("new", 8, new HeldBy("old"));

        assertThat(answer.applied()).isTrue();
        assertThat(existingRow().leaseId()).isEqualTo("new");
        assertThat(existingRow().fencingToken()).isEqualTo(8);
        assertThat(existingRow().renewals()).isZero();
    }

    @Test
    default void resumedLeaseKeepsMetadata() {
        Map<String, String> metadata = Map.of("job", "42");
        store().acquire(
                        Writes.acquire(
                                name(), "old", "them", 7, LEASE, NOW, END, LeaseTime.SYSTEM, metadata, new Free()),
                        TIMEOUT);
        detach("old", 1);

        acquire("new", 8, new HeldBy("old"));

        assertThat(existingRow().metadata()).isEqualTo(metadata);
    }

    @Test
    default void resumesLeaseOnlyOnce() {
        acquire("old", 7, new Free());
        detach("old", 1);
        LockRow resumed = acquire("new", 8, new HeldBy("old")).row();

        assertRefused(acquire("newer", 9, new HeldBy("old")), resumed);
    }

    @Test
    default void refusesToResumeEndedOrRevokedLease() {
        Answer never = acquire("new", 8, new HeldBy("old"));
        acquire("old", 7, new Free());
        detach("old", 1);
        revoke("old");
        LockRow revoked = row();
        Answer afterRevocation = acquire("new", 8, new HeldBy("old"));
        assertRefused(afterRevocation, revoked);
        release("old");
        LockRow free = row();
        Answer afterRelease = acquire("new", 8, new HeldBy("old"));

        assertThat(never).extracting(Answer::applied, Answer::row).containsExactly(false, null);
        assertRefused(afterRelease, free);
    }

    @Test
    default void acquireReplacesAllAttributesOfPreviousLease() {
        Map<String, String> metadata = Map.of("job", "42");
        store().acquire(
                        Writes.acquire(
                                name(), "old", "them", 7, LEASE, NOW, END, LeaseTime.SYSTEM, metadata, new Free()),
                        TIMEOUT);
        revoke("old");

        acquire("new", 8, new Unchanged("old", 0L));

        assertThat(existingRow())
                .isEqualTo(LockRow.builder()
                        .leaseId("new")
                        .owner("owner")
                        .fencingToken(8L)
                        .tokenFloor(8L)
                        .leaseDuration(LEASE)
                        .expiresAt(END)
                        .clock(LeaseTime.SERVER)
                        .renewals(0L)
                        .acquiredAt(NOW)
                        .build());
    }

    @Test
    default void onlyOneOfManyConcurrentAcquiresSucceeds() throws Exception {
        int winners = 0;
        for (Answer answer : acquireConcurrently()) {
            assertThat(answer.row())
                    .isNotNull()
                    .extracting(LockRow::leaseId)
                    .isEqualTo(existingRow().leaseId());
            winners += answer.applied() ? 1 : 0;
        }
        assertThat(winners).isOne();
    }

    /** Sends 40 acquires with different tokens by eight threads. */
    default List<Answer> acquireConcurrently() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Callable<Answer>> attempts = LongStream.rangeClosed(1, 40)
                .mapToObj(token -> (Callable<Answer>) () -> acquire("lease-" + token, token, new Free()))
                .toList();

        List<Future<Answer>> answers = threads.invokeAll(attempts);
        threads.shutdown();

        List<Answer> all = new ArrayList<>();
        for (Future<Answer> answer : answers) {
            all.add(answer.get());
        }
        return all;
    }
}
