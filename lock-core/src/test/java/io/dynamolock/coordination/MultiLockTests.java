/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LeaseToken;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState.Status;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MultiLockTests {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final LockRequest A = LockRequest.of("a").metadata(Map.of("for", "a"));
    private static final LockRequest B = LockRequest.of("b").leaseDuration(MINUTE);

    private final Cluster cluster = new Cluster();
    private final LockManager another = cluster.another();
    private final MultiLock both = MultiLock.of(cluster.locks, List.of(B, A));

    @AfterEach
    void close() {
        cluster.close();
    }

    @Test
    void acquiresAllWithTheirOptionsInOrderOfNames() {
        try (MultiLease lease = both.tryAcquire().orElseThrow()) {
            assertThat(lease.leases()).extracting(Lease::name).containsExactly("a", "b");
            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.leases().get(0).metadata()).containsEntry("for", "a");
            assertThat(lease.leases().get(1).remaining()).isGreaterThan(Cluster.LEASE);
            assertThat(another.tryAcquire("a")).isEmpty();
            assertThat(another.tryAcquire("b")).isEmpty();
        }
        assertThat(cluster.requests()).hasSize(6);
        assertThat(another.tryAcquire("a")).isPresent();
        assertThat(another.tryAcquire("b")).isPresent();
    }

    @Test
    void detachedLockIsLeftToItsSuccessor() {
        LeaseToken token;
        try (MultiLease lease = both.tryAcquire().orElseThrow()) {
            token = lease.leases().get(0).detach();
        }

        assertThat(another.tryAcquire("b")).isPresent();
        assertThat(another.tryAcquire("a")).isEmpty();
        another.resume(token).close();
        assertThat(cluster.locks.tryAcquire("a")).isPresent();
    }

    @Test
    void lockWhoseDetachFailedIsReleased() {
        try (MultiLease lease = both.tryAcquire().orElseThrow()) {
            cluster.storeIsDown(true);
            assertThatExceptionOfType(LockStoreException.class)
                    .isThrownBy(() -> lease.leases().get(0).detach());
            cluster.storeIsDown(false);
        }

        assertThat(another.tryAcquire("a")).isPresent();
    }

    @Test
    void acquiresNoneIfOneIsBusy() throws Exception {
        Lease held = another.acquire("b");

        assertThat(both.tryAcquire()).isEmpty();
        assertThat(both.tryAcquire(Duration.ofMillis(20))).isEmpty();

        assertThat(another.tryAcquire("a")).isPresent();
        assertThat(held.isHeld()).isTrue();
    }

    @Test
    void waitTimeIsForAllTogether() throws Exception {
        Lease a = another.acquire("a");
        Lease b = another.acquire("b");
        CompletableFuture<Optional<MultiLease>> waiting = Background.run(() -> both.tryAcquire(MINUTE));
        Cluster.await(() -> cluster.requests().size() > 5);

        a.close();
        Cluster.await(() -> cluster.locks.held().count() == 1);
        cluster.clock.advance(MINUTE);

        assertThat(waiting.get(10, TimeUnit.SECONDS)).isEmpty();
        assertThat(cluster.locks.inspect("a").status()).isEqualTo(Status.FREE);
        assertThat(b.isHeld()).isTrue();
    }

    @Test
    void failureAndInterruptLeaveNothingAcquired() throws Exception {
        another.acquire("b");
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> both.tryAcquire(MINUTE));
        assertThat(Thread.interrupted()).isFalse();
        assertThat(cluster.locks.inspect("a").status()).isEqualTo(Status.FREE);

        cluster.storeIsDown(true);
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(both::tryAcquire);
        cluster.storeIsDown(false);
        cluster.locks.close();
        assertThatExceptionOfType(LockManagerClosedException.class).isThrownBy(both::tryAcquire);
    }

    @Test
    void releasesAllWhateverFails() {
        MultiLease lease = both.tryAcquire().orElseThrow();
        cluster.failReleasesOf("b");

        assertThatExceptionOfType(LockStoreException.class).isThrownBy(lease::release);

        assertThat(cluster.locks.inspect("b").status()).isEqualTo(Status.HELD);
        assertThat(cluster.locks.inspect("a").status()).isEqualTo(Status.FREE);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void releaseReportsLockThatWasGone() {
        MultiLease lease = both.tryAcquire().orElseThrow();
        assertThat(another.forceRelease("b", lease.leases().get(1).id())).isTrue();

        assertThat(lease.release()).isNotEqualTo(ReleaseOutcome.RELEASED);

        assertThat(cluster.locks.inspect("a").status()).isEqualTo(Status.FREE);
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void isLostWithFirstLock() {
        MultiLease lease = both.tryAcquire().orElseThrow();

        cluster.clock.pauseProcess(Duration.ofSeconds(31));

        assertThat(lease.isHeld()).isFalse();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lease::ensureHeld);
    }

    @Test
    void minHoldCountsOnlyForLocksThatWereUsed() throws Exception {
        MultiLock held = MultiLock.of(cluster.locks, List.of(A.minHold(MINUTE), B));
        Lease busy = another.acquire("b");
        assertThat(held.tryAcquire()).isEmpty();
        assertThat(another.inspect("a").status()).isEqualTo(Status.FREE);
        busy.close();

        held.tryAcquire().orElseThrow().close();

        assertThat(another.inspect("a").kept()).isTrue();
        assertThat(another.inspect("b").status()).isEqualTo(Status.FREE);
        cluster.clock.advance(MINUTE.plusSeconds(1));
        assertThat(another.inspect("a").status()).isEqualTo(Status.EXPIRED);
    }

    @Test
    void locksAcquiredInVainLeaveNoTrace() throws Exception {
        another.acquire("b");

        for (LockRequest a : List.of(A.minHold(MINUTE), A.minHold(MINUTE).reentrant(true))) {
            assertThat(MultiLock.of(cluster.locks, List.of(a, B)).tryAcquire()).isEmpty();

            assertThat(another.inspect("a").status()).isEqualTo(Status.FREE);
            assertThat(another.inspect("a").lastHold()).isNull();
        }
    }

    @Test
    void rejectsNoneRepeatedAndCombinedLocks() {
        assertThatIllegalArgumentException().isThrownBy(() -> MultiLock.of(cluster.locks, List.of()));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLock.of(cluster.locks, List.of(A, B, A.reentrant(true))))
                .withMessageContaining("'a'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> MultiLock.of(cluster.locks, List.of(LockRequest.ofAll(List.of("c", "d")))));
        assertThatIllegalArgumentException().isThrownBy(() -> both.tryAcquire(Duration.ofNanos(-1)));
    }

    @Test
    void oppositeOrdersDoNotDeadlock() throws Exception {
        MultiLock opposite = MultiLock.of(another, List.of(A, B));
        AtomicInteger inside = new AtomicInteger();
        int rounds = 500;

        CompletableFuture<Integer> one = Background.run(() -> play(both, rounds, inside));
        CompletableFuture<Integer> two = Background.run(() -> play(opposite, rounds, inside));

        assertThat(one.get(60, TimeUnit.SECONDS) + two.get(60, TimeUnit.SECONDS))
                .isEqualTo(1_000);
    }

    private static int play(MultiLock lock, int rounds, AtomicInteger inside) throws Exception {
        for (int i = 0; i < rounds; i++) {
            try (MultiLease lease = lock.tryAcquire(MINUTE).orElseThrow()) {
                assertThat(inside.incrementAndGet()).isEqualTo(1);
                inside.decrementAndGet();
                lease.ensureHeld();
            }
        }
        return rounds;
    }

    @Test
    void withoutLockingAllIsLetThrough() {
        MultiLock unlocked = MultiLock.of(LockManager.unlocked(), List.of(A, B));

        assertThat(unlocked.tryAcquire()).isPresent();
        assertThat(unlocked.tryAcquire().orElseThrow().release()).isEqualTo(ReleaseOutcome.RELEASED);
    }
}
