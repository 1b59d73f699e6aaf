/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.groups.Tuple.tuple;

import io.dynamolock.ForwardingStore;
import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LeaseState;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockListener;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockSettings;
import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.LockWrite;
import io.dynamolock.TurnClaim;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.time.TestClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Test support for applications: a movable clock, a rival, and a list of acquired locks. */
class TestSupportTests {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final TestClock clock = new TestClock();
    private final InMemoryLockStore store = new InMemoryLockStore(clock);
    private final LockRecorder locks = new LockRecorder();
    private final AtomicInteger renewals = new AtomicInteger();
    private final LockManager manager = LockManager.builder(store)
            .testClock(clock)
            .shutdownGrace(Duration.ZERO)
            .listener(locks)
            .listener(new LockListener() {
                @Override
                public void onRenewed(Lease lease, Duration took) {
                    renewals.incrementAndGet();
                }
            })
            .build();
    private final Rival rival = Rival.on(store, clock);

    @AfterEach
    void close() {
        rival.close();
        manager.close();
    }

    @Test
    void renewedLeaseIsHeldIndefinitely() {
        try (Lease lease = manager.tryAcquire("job").orElseThrow()) {
            clock.advance(Duration.ofHours(3));

            assertThat(lease.isHeld()).isTrue();
            assertThat(lease.remaining()).isBetween(Duration.ofSeconds(15), LEASE);
            assertThat(renewals).hasValueBetween(980, 1_081);
        }
    }

    @Test
    void unrenewedLeaseEndsByTestClock() throws Exception {
        Lease lease = manager.acquire(LockRequest.of("job").autoRenew(false));

        clock.advance(LEASE.minusSeconds(5));
        assertThat(lease.isHeld()).isTrue();
        assertThatIllegalStateException().isThrownBy(() -> rival.hold("job")).withMessageContaining("'job'");

        clock.advance(Duration.ofSeconds(5).plusMillis(2));
        assertThat(lease.isHeld()).isFalse();
        assertThat(rival.hold("job").fencingToken()).isGreaterThan(lease.fencingToken());
    }

    @Test
    void testClockIsIndependentOfLaterSettings() throws Exception {
        try (LockManager late = LockManager.builder(store)
                .testClock(clock)
                .settings(LockSettings.builder().shutdownGrace(Duration.ZERO).build())
                .build()) {
            Lease lease = late.acquire(LockRequest.of("job").autoRenew(false));

            clock.advance(LEASE.plusMillis(2));

            assertThat(lease.isHeld()).isFalse();
            assertThat(rival.hold("job").fencingToken()).isGreaterThan(lease.fencingToken());
            assertThat(late.tryAcquire("job")).isEmpty();
            rival.release("job");
        }
    }

    @Test
    void pausedProcessLosesItsLeaseAndIsNotified() {
        List<LeaseLost.Reason> reasons = new CopyOnWriteArrayList<>();
        Lease lease = manager.tryAcquire("job").orElseThrow();
        lease.onLost(lost -> reasons.add(lost.reason()));

        clock.pauseProcess(LEASE.plusSeconds(1));

        assertThat(reasons).hasSize(1);
        assertThat(locks.acquired()).containsExactly(new RecordedLock("job", lease.fencingToken(), LeaseState.LOST));
    }

    @Test
    void waitEndsByTestClock() {
        rival.hold("job");
        CompletableFuture<Lease> waiter =
                manager.acquireAsync(LockRequest.of("job").waitTime(Duration.ofHours(1)));

        clock.advance(Duration.ofMinutes(59));
        assertThat(waiter).isNotDone();

        clock.advance(Duration.ofMinutes(1));
        assertThatThrownBy(waiter::join).hasCauseInstanceOf(LockBusyException.class);
        assertThat(locks.busy()).containsExactly("job");
        assertThat(locks.waitedFor()).containsExactly("job");
    }

    @Test
    void waiterTakesOverFromCrashedRivalAfterLeaseEnd() {
        long before = rival.hold("job").fencingToken();
        CompletableFuture<Optional<Lease>> waiter =
                manager.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofHours(1)));
        rival.crash();

        clock.advance(LEASE.minusSeconds(5));
        assertThat(waiter).isNotDone();

        clock.advance(Duration.ofSeconds(10));
        assertThat(waiter.join().orElseThrow().fencingToken()).isGreaterThan(before);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void hangingCallbackDelaysTestClockOnce() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        Lease lost = manager.acquire(LockRequest.of("lost").autoRenew(false));
        Lease renewed = manager.tryAcquire("renewed").orElseThrow();
        lost.onLost(loss -> {
            begun.countDown();
            awaitUninterrupted(end);
        });

        clock.advance(Duration.ofHours(1));

        assertThat(begun.getCount()).isZero();
        assertThat(lost.isHeld()).isFalse();
        assertThat(renewed.isHeld()).isTrue();
        end.countDown();
    }

    private static void awaitUninterrupted(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void stolenLockIsNoticedByNextRenewal() {
        Lease lease = manager.tryAcquire("job").orElseThrow();

        rival.steal("job");
        clock.advance(Duration.ofSeconds(10));

        assertThat(lease.lost().toCompletableFuture())
                .isCompletedWithValueMatching(lost -> lost.reason() == LeaseLost.Reason.TAKEN);
    }

    @Test
    void lockIsStolenAtOnceAlsoFromThoseThatWait() {
        LockRecorder ofThief = new LockRecorder();
        LockManager other =
                LockManager.builder(store).testClock(clock).listener(ofThief).build();
        rival.hold("job").close();
        rival.hold("job");
        claim("job", Duration.ofSeconds(9));

        try (Rival thief = new Rival(other)) {
            assertThat(thief.steal("job").isHeld()).isTrue();
        }
        assertThat(ofThief.waitedFor()).isEmpty();
    }

    @Test
    void lockThatIsReservedIsStolenSoon() {
        rival.hold("job");
        claim("job", Duration.ofSeconds(1));
        rival.release("job");

        assertThatIllegalStateException()
                .isThrownBy(() -> rival.hold("job"))
                .withMessage("The rival cannot hold lock 'job': it is reserved for a process that waits for it;"
                        + " use steal(..) to take it over");
        assertThat(rival.steal("job").isHeld()).isTrue();
    }

    /** Claims the next turn, as a process does that waits and has missed one. */
    private void claim(String name, Duration window) {
        TurnClaim claim = new TurnClaim("0000000000000001/" + window.toMillis() + "/waiting");
        store.claim(new LockWrite.Claim(name, claim), Duration.ofSeconds(1));
    }

    @Test
    void lockIsStolenAlsoIfItsRowChangesMeanwhile() throws Exception {
        Lease lease = manager.acquire("job");
        AtomicBoolean changes = new AtomicBoolean(true);
        LockStore changing = new ForwardingStore(store) {
            @Override
            public Response forceFree(LockWrite.ForceFree write, Duration timeout) {
                if (changes.getAndSet(false)) {
                    lease.renew();
                }
                return super.forceFree(write, timeout);
            }
        };

        try (Rival other = Rival.on(changing, clock)) {
            assertThat(other.steal("job").isHeld()).isTrue();
        }
        assertThat(changes).isFalse();
    }

    @Test
    void failureOfStoreEndsStealingAtOnce() {
        AtomicInteger attempts = new AtomicInteger();
        LockStore failing = new ForwardingStore(store) {
            @Override
            public Response acquire(LockWrite.Acquire write, Duration timeout) {
                attempts.incrementAndGet();
                throw new LockStoreException(write.name(), "no response", null, true, true);
            }
        };
        LockManager once = LockManager.builder(failing)
                .testClock(clock)
                .retryPolicy((attempt, failure) -> null)
                .build();

        try (Rival other = new Rival(once)) {
            assertThatThrownBy(() -> other.steal("job")).isInstanceOf(LockStoreException.class);
        }
        assertThat(attempts).hasValue(1);
    }

    @Test
    void crashEndsAllLocksAlsoIfOneIsGone() {
        rival.hold("first");
        rival.hold("second");
        rival.hold("third");
        manager.forceFree("second");

        rival.crash();
        clock.advance(Duration.ofMinutes(2));

        assertThat(manager.tryAcquire("first")).isPresent();
        assertThat(manager.tryAcquire("second")).isPresent();
        assertThat(manager.tryAcquire("third")).isPresent();
    }

    @Test
    void rivalHoldsLockUntilRelease() {
        rival.hold("job");
        clock.advance(Duration.ofHours(1));
        assertThat(manager.tryAcquire("job")).isEmpty();
        assertThat(manager.inspect("job").owner()).isEqualTo(Rival.OWNER);

        rival.releaseAll();

        assertThat(manager.tryAcquire("job")).isPresent();
    }

    @Test
    void rivalCannotReleaseLockThatItDoesNotHold() {
        assertThatIllegalStateException()
                .isThrownBy(() -> rival.release("typo"))
                .withMessage("The rival does not hold lock 'typo': it holds none");
        rival.hold("job");
        rival.hold("audit");

        assertThatIllegalStateException()
                .isThrownBy(() -> rival.release("typo"))
                .withMessage("The rival does not hold lock 'typo': it holds 'audit', 'job'");
        assertThat(manager.tryAcquire("job")).isEmpty();
    }

    @Test
    void rivalThatAlreadyHoldsLockSaysSo() {
        rival.hold("job");

        assertThatIllegalStateException()
                .isThrownBy(() -> rival.hold("job"))
                .withMessage("The rival already holds lock 'job'");
    }

    @Test
    void acquiredLeasesAreListedInOrderWithTheirFate() {
        rival.hold("busy");
        manager.tryAcquire("first").orElseThrow().close();
        Lease second = manager.tryAcquire("second").orElseThrow();
        assertThat(second.isHeld()).isTrue();
        manager.tryAcquire("busy");

        assertThat(locks.acquired())
                .extracting(RecordedLock::name, RecordedLock::state)
                .containsExactly(tuple("first", LeaseState.RELEASED), tuple("second", LeaseState.HELD));
        assertThat(locks.busy()).containsExactly("busy");
    }

    @Test
    void releasesAndForgetsLeftoverLeases() {
        Lease left = manager.tryAcquire("left").orElseThrow();
        assertThat(left.isHeld()).isTrue();

        locks.release();

        assertThat(locks.acquired()).isEmpty();
        assertThat(manager.held()).isEmpty();
        assertThat(manager.tryAcquire("left")).isPresent();
    }

    @Test
    void storeForgetsRowsExceptThoseOfKeptLeases() throws Exception {
        Lease stays = manager.tryAcquire("stays").orElseThrow();
        manager.acquire(LockRequest.of("rests").minHold(Duration.ofDays(1))).close();

        store.retain(row -> stays.id().equals(row.leaseId()));
        assertThat(manager.inspect("stays").leaseId()).isEqualTo(stays.id());
        assertThat(manager.tryAcquire("rests")).isPresent();

        store.clear();
        assertThat(manager.inspect("stays").leaseId()).isNull();
    }

    @Test
    void storeForgetsRowThatChangesMeanwhile() throws Exception {
        Lease lease = manager.acquire("job");
        AtomicBoolean changes = new AtomicBoolean(true);

        store.retain(row -> {
            if (changes.getAndSet(false)) {
                lease.renew();
            }
            return false;
        });

        assertThat(changes).isFalse();
        assertThat(manager.inspect("job").leaseId()).isNull();
    }

    @Test
    void clockRunsByItselfInEveryZone() {
        Clock elsewhere = clock.withZone(ZoneId.of("Asia/Tokyo"));
        Instant before = Clock.systemUTC().instant();

        clock.advance(Duration.ofDays(1));

        assertThat(clock.instant()).isAfterOrEqualTo(before.plus(Duration.ofDays(1)));
        assertThat(Duration.between(clock.instant(), elsewhere.instant()).abs()).isLessThan(Duration.ofHours(1));
        assertThat(elsewhere.getZone()).isEqualTo(ZoneId.of("Asia/Tokyo"));
        assertThat(clock.getZone()).isEqualTo(Clock.systemUTC().getZone());
    }

    @Test
    void clockDoesNotGoBack() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock.advance(Duration.ofSeconds(-1)))
                .withMessageContaining("must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> clock.pauseProcess(Duration.ofSeconds(-1)))
                .withMessageContaining("must not be negative");
    }
}
