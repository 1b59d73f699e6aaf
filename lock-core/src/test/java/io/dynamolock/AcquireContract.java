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
import io.dynamolock.LockStore.Response;
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
        Response response = acquire("mine", 7, new Free());

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
        assertApplied(response);
        assertThat(row()).isEqualTo(expected);
    }

    @Test
    default void acquiresReleasedLockWithHigherToken() {
        acquire("first", 7, new Free());
        release("first");

        Response response = acquire("second", 8, new Free());

        assertThat(response.applied()).isTrue();
        assertThat(existingRow().leaseId()).isEqualTo("second");
        assertThat(existingRow().fencingToken()).isEqualTo(8);
        assertThat(existingRow().tokenFloor()).isEqualTo(8);
        assertThat(existingRow().lastLeaseId()).isEqualTo("first");
    }

    @Test
    default void rejectedAcquireReturnsHolder() {
        LockRow held = acquired("theirs", 7, new Free());

        Response response = acquire("mine", 8, new Free());

        assertRejected(response, held);
    }

    @Test
    default void rejectsUsedUpToken() {
        acquire("theirs", 7, new Free());
        release("theirs");
        LockRow free = row();

        assertRejected(acquire("mine", 7, new Free()), free);
        assertRejected(acquire("mine", 6, new Free()), free);
        assertRejected(acquire("mine", 7, freeOrExpired(PAST_END)), free);
    }

    @Test
    default void rejectsTakeoverWithUsedUpToken() {
        LockRow held = acquired("theirs", 7, new Free());

        assertRejected(acquire("mine", 7, freeOrExpired(PAST_END)), held);
        assertRejected(acquire("mine", 7, new Unchanged("theirs", 0L)), held);
        assertRejected(acquire("mine", 7, new HeldBy("theirs")), held);
    }

    @Test
    default void timeBasedGuardAcquiresFreeLock() {
        Response unknown = acquire("first", 7, freeOrExpired(NOW));
        release("first");
        Response released = acquire("second", 8, freeOrExpired(NOW));

        assertThat(unknown.applied()).isTrue();
        assertThat(released.applied()).isTrue();
    }

    @Test
    default void takesOverAfterLeaseEnd() {
        acquire("theirs", 7, new Free());

        Response response = acquire("mine", 8, freeOrExpired(PAST_END));

        assertThat(response.applied()).isTrue();
        assertThat(existingRow().leaseId()).isEqualTo("mine");
        assertThat(existingRow().lastLeaseId()).isNull();
    }

    @Test
    default void rejectsTakeoverUpToAndAtLeaseEnd() {
        LockRow held = acquired("theirs", 7, new Free());

        assertRejected(acquire("mine", 8, freeOrExpired(END)), held);
        assertRejected(acquire("mine", 8, freeOrExpired(END.plusNanos(999_999))), held);
        assertRejected(acquire("mine", 8, freeOrExpired(NOW)), held);
    }

    @Test
    default void rejectsTakeoverWhenEndUsesAnotherClock() {
        LockRow held = acquired("theirs", 7, new Free());

        Response response = acquire("mine", 8, new FreeOrExpired(PAST_END, LeaseTime.SYSTEM));

        assertRejected(response, held);
    }

    @Test
    default void takesOverUnchangedRow() {
        acquire("theirs", 7, new Free());
        renew("theirs", 3, END);

        Response response = acquire("mine", 8, new Unchanged("theirs", 3L));

        assertThat(response.applied()).isTrue();
        assertThat(existingRow().leaseId()).isEqualTo("mine");
        assertThat(existingRow().renewals()).isZero();
    }

    @Test
    default void rejectsTakeoverOfChangedRow() {
        acquire("theirs", 7, new Free());
        renew("theirs", 1, END);
        LockRow held = row();

        assertRejected(acquire("mine", 8, new Unchanged("theirs", 0L)), held);
        assertRejected(acquire("mine", 8, new Unchanged("theirs", 2L)), held);
        assertRejected(acquire("mine", 8, new Unchanged("theirs", null)), held);
        assertRejected(acquire("mine", 8, new Unchanged("others", 1L)), held);
    }

    @Test
    default void observerAcquiresLockReleasedMeanwhile() {
        Response never = acquire("theirs", 7, new Unchanged("nobodys", 0L));
        release("theirs");
        Response released = acquire("mine", 8, new Unchanged("theirs", 0L));

        assertThat(never.applied()).isTrue();
        assertThat(released.applied()).isTrue();
        assertThat(row()).extracting(LockRow::leaseId).isEqualTo("mine");
    }

    @Test
    default void resumesLeaseUnderNewId() {
        acquire("old", 7, new Free());
        detach("old", 4);

        Response response = acquire("new", 8, new HeldBy("old"));

        assertThat(response.applied()).isTrue();
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

        assertRejected(acquire("newer", 9, new HeldBy("old")), resumed);
    }

    @Test
    default void rejectsToResumeEndedOrRevokedLease() {
        Response never = acquire("new", 8, new HeldBy("old"));
        acquire("old", 7, new Free());
        detach("old", 1);
        revoke("old");
        LockRow revoked = row();
        Response afterRevocation = acquire("new", 8, new HeldBy("old"));
        assertRejected(afterRevocation, revoked);
        release("old");
        LockRow free = row();
        Response afterRelease = acquire("new", 8, new HeldBy("old"));

        assertThat(never).extracting(Response::applied, Response::row).containsExactly(false, null);
        assertRejected(afterRelease, free);
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
        for (Response response : acquireConcurrently()) {
            winners += response.applied() ? 1 : 0;
            assertThat(response.row()).isEqualTo(response.applied() ? null : existingRow());
        }
        assertThat(winners).isOne();
    }

    /** Sends 40 acquires with different tokens by eight threads. */
    default List<Response> acquireConcurrently() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Callable<Response>> attempts = LongStream.rangeClosed(1, 40)
                .mapToObj(token -> (Callable<Response>) () -> acquire("lease-" + token, token, new Free()))
                .toList();

        List<Future<Response>> responses = threads.invokeAll(attempts);
        threads.shutdown();

        List<Response> all = new ArrayList<>();
        for (Future<Response> response : responses) {
            all.add(response.get());
        }
        return all;
    }
}
