/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Requests for several locks: all or none. */
@Timeout(120)
class SeveralLocksTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LockRequest ALL = LockRequest.ofAll(List.of("c", "a", "b", "a"));

    private final Node node = Node.alone();
    private final Node rival = node.rival();

    // acquiring

    @Test
    void acquiresEachWithOneRequestInOneOrder() throws Exception {
        Lease all = node.locks.acquire(ALL);

        assertThat(all.leases()).extracting(Lease::name).containsExactly("a", "b", "c");
        assertThat(node.events.all).containsExactly("acquired a", "acquired b", "acquired c");
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE, Operation.ACQUIRE, Operation.ACQUIRE);
        assertThat(node.locks.held()).hasSize(3);
    }

    @Test
    void acquiresNoneIfOneIsBusy() throws Exception {
        rival.take("c");

        assertThat(node.locks.tryAcquire(ALL)).isEmpty();
        assertThatThrownBy(() -> node.locks.acquire(ALL)).isInstanceOfSatisfying(LockBusyException.class, busy -> {
            assertThat(busy.lockName()).isEqualTo("c");
            assertThat(busy.holder().owner()).isEqualTo("rival");
        });

        assertThat(node.locks.held()).isEmpty();
        assertFree("a", "b");
    }

    @Test
    void unusedLocksIgnoreMinHoldAndLeaveNoTrace() throws Exception {
        rival.take("c");

        assertThat(node.locks.tryAcquire(ALL.minHold(LEASE))).isEmpty();

        assertFree("a", "b");
        assertThat(node.locks.inspect("a").lastHold()).isNull();
    }

    @Test
    void failureReleasesWhatWasAcquired() {
        node.store.next(Fault.then(() -> {}), Fault.DENY);

        assertThatThrownBy(() -> node.locks.acquire(ALL))
                .isInstanceOfSatisfying(
                        LockStoreException.class,
                        failure -> assertThat(failure.lockName()).isEqualTo("b"));

        assertThat(node.locks.held()).isEmpty();
        assertFree("a");
    }

    @Test
    void failedReleaseIsSuppressed() {
        node.store.next(Fault.then(() -> {}), Fault.DENY, Fault.DENY);

        assertThatThrownBy(() -> node.locks.acquire(ALL))
                .isInstanceOf(LockStoreException.class)
                .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
    }

    @Test
    void leaseLostMeanwhileFailsAll() {
        node.store.next(Fault.then(() -> {}), Fault.then(() -> {}), Fault.first(this::loseFirst));

        assertThatThrownBy(() -> node.locks.acquire(ALL))
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.lockName()).isEqualTo("a"));

        assertThat(node.locks.held()).isEmpty();
        assertFree("a", "b", "c");
    }

    @Test
    void oneWaitTimeIsForAll() {
        GroupAcquisition all = new GroupAcquisition(ALL, Duration.ofSeconds(10), node.time::nanos);

        assertThat(all.next()).isEqualTo(ALL.name("a").waitTime(Duration.ofSeconds(10)));
        node.time.pass(Duration.ofSeconds(4));
        assertThat(all.next()).isEqualTo(ALL.name("b").waitTime(Duration.ofSeconds(6)));
        node.time.pass(Duration.ofSeconds(7));
        assertThat(all.next()).isEqualTo(ALL.name("c").waitTime(Duration.ZERO));
        assertThat(all.isComplete()).isTrue();
    }

    @Test
    void oppositeOrdersDoNotDeadlock() throws Exception {
        InMemoryLockStore rows = new InMemoryLockStore();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try (LockManager one =
                        LockManager.builder(rows).pollMax(Duration.ofMillis(50)).build();
                LockManager other =
                        LockManager.builder(rows).pollMax(Duration.ofMillis(50)).build()) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                LockManager locks = i % 2 == 0 ? one : other;
                Collection<String> names = i < 2 ? List.of("a", "b") : List.of("b", "a");
                LockRequest request = LockRequest.ofAll(names).waitTime(TestRun.TIMEOUT);
                all.add(threads.submit(() -> {
                    for (int n = 0; n < 10; n++) {
                        locks.call(request, () -> null);
                    }
                    return null;
                }));
            }

            for (Future<?> each : all) {
                assertThat(each).succeedsWithin(TestRun.TIMEOUT.multipliedBy(2));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void interruptedWaitLeavesNothing() throws Exception {
        InMemoryLockStore rows = new InMemoryLockStore();
        try (LockManager holder = LockManager.builder(rows).build();
                LockManager waiter = LockManager.builder(rows).build();
                Lease held = holder.acquire("b")) {
            AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
            Thread waiting = new Thread(() -> {
                try {
                    waiter.acquire(ALL.waitTime(Duration.ofHours(1)));
                } catch (InterruptedException interrupt) {
                    thrown.set(interrupt);
                }
            });
            waiting.start();
            await().until(() -> waiter.held().count() == 1);

            waiting.interrupt();
            waiting.join(TestRun.TIMEOUT.toMillis());

            assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
            assertThat(waiter.held()).isEmpty();
            assertThat(waiter.inspect("a").status()).isEqualTo(LockState.Status.FREE);
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void acquisitionThatOutlastsClosingManagerLeavesNothing() throws Exception {
        rival.take("c");
        CountDownLatch polling = new CountDownLatch(1);
        CountDownLatch lost = new CountDownLatch(2);
        LockStore slow = new ForwardingStore(node.store) {
            @Override
            public Response read(String name, boolean consistent, Duration timeout) {
                polling.countDown();
                Latches.await(lost);
                return super.read(name, consistent, timeout);
            }
        };
        LockListener losses = new LockListener() {
            @Override
            public void onLost(Lease lease, LeaseLost loss) {
                lost.countDown();
            }
        };
        LockManager closing = LockManager.builder(slow)
                .time(LeaseTime.OBSERVED)
                .listener(losses)
                .shutdownGrace(Duration.ZERO)
                .build();
        FutureTask<Lease> acquisition = new FutureTask<>(() -> closing.acquire(ALL.waitTime(LEASE)));
        new Thread(acquisition).start();
        Latches.await(polling);

        closing.close();

        assertThat(acquisition)
                .failsWithin(TestRun.TIMEOUT)
                .withThrowableThat()
                .withCauseInstanceOf(LockManagerClosedException.class);
        assertFree("a", "b");
    }

    @Test
    void heldLocksAreReacquired() throws Exception {
        Lease outer = node.locks.acquire(ALL.reentrant(true));
        Lease inner = node.locks.acquire(ALL.names(List.of("b", "c", "d")).reentrant(true));

        assertThat(inner.leases().get(0).id()).isEqualTo(outer.leases().get(1).id());
        inner.close();
        assertThat(outer.isHeld()).isTrue();
        assertThat(node.row("d").isFree()).isTrue();
        outer.close();

        assertFree("a", "b", "c");
    }

    @Test
    void lockReacquiredInVainStaysHeld() throws Exception {
        Lease outer = node.locks.acquire(LockRequest.of("a").reentrant(true));
        rival.take("b");

        assertThat(node.locks.tryAcquire(ALL.reentrant(true))).isEmpty();
        assertThat(outer.isHeld()).isTrue();
        outer.close();

        assertThat(node.locks.inspect("a").lastHold()).isNotNull();
    }

    @Test
    void impossibleRequestsAreRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockRequest.ofAll(List.of()))
                .withMessageContaining("names");
        assertThatIllegalArgumentException().isThrownBy(() -> LockRequest.ofAll(List.of("a", " ")));
        LockSettings prefixed = Node.settingsWith(with -> with.namePrefix("p".repeat(100)));
        LockRequest tooLong = LockRequest.ofAll(List.of("a", "z".repeat(2_000)));
        assertThatIllegalArgumentException().isThrownBy(() -> prefixed.validate(tooLong));
    }

    // the handle

    @Test
    void releasesInReverseOrder() throws Exception {
        Lease all = node.locks.acquire(ALL);

        assertThat(all.release()).isEqualTo(ReleaseOutcome.RELEASED);
        all.close();

        assertThat(node.events.all.subList(3, 6))
                .containsExactly("released c RELEASED", "released b RELEASED", "released a RELEASED");
        assertThat(all.state()).isEqualTo(LeaseState.RELEASED);
    }

    @Test
    void failedReleaseDoesNotKeepOthers() throws Exception {
        Lease all = node.locks.acquire(ALL);
        node.store.next(Fault.DENY);

        assertThatThrownBy(all::close).isInstanceOf(LockStoreException.class);

        assertFree("a", "b");
    }

    @Test
    void isHeldWhileAllAreAndLostWithFirst() throws Exception {
        List<LeaseLost> losses = new ArrayList<>();
        Lease all = node.locks.acquire(ALL);
        all.onLost(losses::add);
        assertThat(all.isHeld()).isTrue();
        assertThat(all.verify()).isTrue();
        assertThat(all.state()).isEqualTo(LeaseState.HELD);

        free("b");
        assertThat(all.verify()).isFalse();
        free("c");
        node.pass(LEASE.dividedBy(2));

        assertThat(all.isHeld()).isFalse();
        assertThat(all.state()).isEqualTo(LeaseState.LOST);
        assertThat(all.remaining()).isZero();
        assertThatThrownBy(all::ensureHeld).hasMessageContaining("'b'");
        assertThat(losses).extracting(LeaseLost::name).containsExactly("b");
        assertThat(all.lost().toCompletableFuture())
                .isCompletedWithValueMatching(loss -> loss.name().equals("b"));
        assertThat((Object) all.lost()).isSameAs(all.lost());
        assertThat(all.release()).isEqualTo(ReleaseOutcome.ALREADY_GONE);
    }

    @Test
    void combinesItsLeases() throws Exception {
        Lease all = node.locks.acquire(ALL.owner("me"));
        node.pass(Duration.ofSeconds(5));
        all.leases().get(1).renew(Duration.ofSeconds(7));

        assertThat(all.name()).isEqualTo("a, b, c");
        assertThat(all.owner()).isEqualTo("me");
        assertThat(all.id().split(", ")).hasSize(3).doesNotHaveDuplicates();
        assertThat(all.metadata()).isEmpty();
        assertThat(all.policy()).isEqualTo(OnLost.THROW);
        assertThat(all.expiresAt()).isEqualTo(all.leases().get(1).expiresAt());
        assertThat(all.renew(Duration.ofMinutes(1)))
                .isAfter(all.leases().get(0).acquiredAt().plus(LEASE));
        assertThat(all.remaining()).isGreaterThan(LEASE);
        assertThat(all.renew()).isNotNull();
        assertThat(all.acquiredAt()).isEqualTo(all.leases().get(2).acquiredAt());
        assertThat(all.age()).isEqualTo(Duration.ofSeconds(5));
        assertThatThrownBy(all::fencingToken).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(all::detach).isInstanceOf(UnsupportedOperationException.class);
        assertThat(all.toString()).contains("Lease[a", "Lease[c");
        assertThat(node.take("d").leases()).hasSize(1);
    }

    @Test
    void riskOfOneIsRiskOfAll() throws Exception {
        List<Lease> risky = new ArrayList<>();
        Lease all = node.locks.acquire(ALL);
        all.onAtRisk(risky::add);

        node.store.always(Fault.DENY);
        node.pass(Duration.ofSeconds(12));

        assertThat(all.state()).isEqualTo(LeaseState.AT_RISK);
        assertThat(risky).containsOnly(all);
    }

    @Test
    void closesWithoutBlocking() throws Exception {
        Lease all = node.locks.acquire(ALL);

        assertThat(all.closeAsync().toCompletableFuture()).succeedsWithin(TestRun.TIMEOUT);

        assertFree("a", "b", "c");
    }

    // work

    @Test
    void workThatLosesOneGetsNoResult() {
        boolean[] interrupted = {false};

        assertThatThrownBy(() -> node.locks.call(ALL.onLost(OnLost.INTERRUPT), () -> {
                    free("b");
                    node.pass(LEASE.dividedBy(2));
                    interrupted[0] = Thread.interrupted();
                    return "result";
                }))
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.lockName()).isEqualTo("b"));
        assertThat(interrupted).containsExactly(true);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        assertFree("a", "b", "c");
    }

    @Test
    void lossFoundByReleaseOfOneCounts() {
        assertThatThrownBy(() -> node.locks.tryRun(ALL, () -> free("a")))
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.lockName()).isEqualTo("a"));
    }

    @Test
    void failedWorkIsRecordedForEach() throws Exception {
        try (Lease all = node.locks.acquire(ALL)) {
            all.markFailed();
        }

        assertThat(ALL.names())
                .allSatisfy(name -> assertThat(node.locks.inspect(name).lastHold())
                        .isNotNull()
                        .extracting(LastHold::failed)
                        .isEqualTo(true));
    }

    // asynchronous

    @Test
    void asynchronousAcquisitionGetsAllOrNone() {
        CompletableFuture<Lease> all = node.locks.acquireAsync(ALL);
        node.pass(Duration.ofMillis(1));
        assertThat(all).isCompletedWithValueMatching(Lease::isHeld);
        all.join().close();
        rival.take("c");

        CompletableFuture<Optional<Lease>> tried = node.locks.tryAcquireAsync(ALL);
        CompletableFuture<Lease> insisted = node.locks.acquireAsync(ALL);
        node.pass(Duration.ofMillis(1));

        assertThat(tried).isCompletedWithValue(Optional.empty());
        assertThat(insisted)
                .failsWithin(TestRun.TIMEOUT)
                .withThrowableThat()
                .withCauseInstanceOf(LockBusyException.class);
        assertThat(node.locks.held()).isEmpty();
        assertFree("a", "b");
    }

    @Test
    void locksAcquiredInVainAsynchronouslyIgnoreMinHold() {
        rival.take("c");

        CompletableFuture<Optional<Lease>> tried = node.locks.tryAcquireAsync(ALL.minHold(LEASE));
        node.pass(Duration.ofMillis(1));

        assertThat(tried).isCompletedWithValue(Optional.empty());
        assertFree("a", "b");
        assertThat(node.locks.inspect("a").lastHold()).isNull();
    }

    @Test
    void cancelledAsynchronousAcquisitionLeavesNothing() {
        rival.take("c");
        CompletableFuture<Lease> waiting = node.locks.acquireAsync(ALL.waitTime(LEASE));
        node.pass(Duration.ofSeconds(1));
        assertThat(node.locks.held()).hasSize(2);

        waiting.cancel(true);
        node.pass(Duration.ofSeconds(1));

        assertThat(waiting).isCancelled();
        assertThat(node.locks.held()).isEmpty();
        assertFree("a", "b");
    }

    @Test
    void asynchronousAcquisitionFailsIfLeaseIsLostMeanwhile() {
        node.store.next(Fault.then(() -> {}), Fault.then(() -> {}), Fault.first(this::loseFirst));

        CompletableFuture<Lease> all = node.locks.acquireAsync(ALL);
        node.pass(Duration.ofMillis(1));

        assertThat(all).failsWithin(TestRun.TIMEOUT).withThrowableThat().withCauseInstanceOf(LeaseLostException.class);
        assertThat(node.locks.held()).isEmpty();
    }

    @Test
    void asynchronousAcquisitionFailsIfListenerReleasesOneOfTheLocks() {
        LockListener releasing = new LockListener() {
            @Override
            public void onAcquired(Lease lease, Duration took, Duration waited) {
                if (lease.name().equals("a")) {
                    lease.close();
                }
            }
        };
        try (LockManager locks =
                LockManager.builder(new InMemoryLockStore()).listener(releasing).build()) {
            assertThat(locks.acquireAsync(ALL))
                    .failsWithin(TestRun.TIMEOUT)
                    .withThrowableThat()
                    .withCauseInstanceOf(IllegalStateException.class);
            assertThat(locks.held()).isEmpty();
        }
    }

    @Test
    void unlockedManagerLetsAllThrough() throws Exception {
        LockManager locks = LockManager.unlocked();

        Lease all = locks.acquire(ALL);

        assertThat(all.leases()).extracting(Lease::name).containsExactly("a", "b", "c");
        assertThat(all.state()).isEqualTo(LeaseState.UNLOCKED);
        assertThat(locks.acquireAsync(ALL)).isCompletedWithValueMatching(Lease::isHeld);
    }

    /** Frees a lock by force, and lets its holder notice. */
    private void loseFirst() {
        free("a");
        node.pass(LEASE.dividedBy(2));
    }

    private void free(String name) {
        assertThat(rival.locks.forceRelease(name, String.valueOf(node.row(name).leaseId())))
                .isTrue();
    }

    private void assertFree(String... names) {
        assertThat(names).allSatisfy(name -> assertThat(node.row(name).isFree()).isTrue());
    }
}
