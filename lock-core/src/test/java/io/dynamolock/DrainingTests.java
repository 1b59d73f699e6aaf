/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.dynamodb.CapturedLogs;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A manager that keeps what it holds and acquires nothing. */
@Timeout(120)
class DrainingTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LockRequest JOB = LockRequest.of("job");

    private final Node node = Node.alone();
    private final LockManager locks = node.locks;

    @Test
    void rejectsAcquisitionsWithoutRequest() {
        LeaseToken token = node.rival().take("detached").detach();
        locks.startDraining();

        assertRejected(() -> locks.tryAcquire("job"));
        assertRejected(() -> locks.tryAcquire(JOB));
        assertRejected(() -> locks.tryAcquire(JOB.waitTime(LEASE)));
        assertRejected(() -> locks.acquire(JOB));
        assertRejected(() -> locks.tryRun(JOB, () -> {}));
        assertRejected(() -> locks.resume(token));
        assertThat(locks.tryAcquireAsync(JOB))
                .failsWithin(TestRun.TIMEOUT)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LockManagerDrainingException.class);
        assertThat(node.store.operations()).isEmpty();
    }

    @Test
    void keepsHeldLeases() {
        Lease kept = node.take("kept");
        Lease released = node.take("released");
        Lease detached = node.take("detached");
        locks.startDraining();

        node.pass(LEASE.multipliedBy(3));

        assertThat(kept.isHeld()).isTrue();
        assertThat(kept.renew()).isNotNull();
        assertThat(kept.verify()).isTrue();
        assertThat(released.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(detached.detach()).isNotNull();
        assertThat(locks.held()).extracting(LockState::name).containsExactly("kept");
    }

    @Test
    void logNamesTheLocksThatAreHeld() {
        try (CapturedLogs logs = new CapturedLogs(Level.INFO)) {
            locks.startDraining();
            locks.stopDraining();
            node.take("job");
            locks.startDraining();

            assertThat(logs.everything())
                    .filteredOn(line -> line.startsWith("Draining:"))
                    .containsExactly(
                            "Draining: new acquisitions are rejected; no lock is held",
                            "Draining: new acquisitions are rejected; the leases on [job] are kept");
        }
    }

    @Test
    void heldLockIsReacquired() throws Exception {
        Lease lease = locks.acquire(JOB.reentrant(true));
        locks.startDraining();

        Lease again = locks.acquire(JOB.reentrant(true));

        assertThat(again.id()).isEqualTo(lease.id());
        assertRejected(() -> locks.acquire(JOB.name("other").reentrant(true)));
    }

    @Test
    void operatorsCanStillAct() {
        Lease other = node.rival().take("job");
        locks.startDraining();

        assertThat(locks.inspect("job").leaseId()).isEqualTo(other.id());
        assertThat(locks.revoke("job", other.id())).isTrue();
        assertThat(locks.forceRelease("job", other.id())).isTrue();
    }

    @Test
    void acquiresAgainAfterwards() {
        locks.startDraining();
        locks.startDraining();
        locks.stopDraining();

        assertThat(node.take("job").isHeld()).isTrue();
    }

    @Test
    void stateIsVisible() {
        LockDiagnostics diagnostics = locks.diagnostics().orElseThrow();

        assertThat(diagnostics.isDraining()).isFalse();
        locks.startDraining();
        assertThat(diagnostics.isDraining()).isTrue();
        locks.stopDraining();
        assertThat(diagnostics.isDraining()).isFalse();
    }

    @Test
    void closedManagerStaysClosed() {
        locks.startDraining();
        locks.close();
        assertThatThrownBy(() -> locks.acquire(JOB)).isInstanceOf(LockManagerClosedException.class);

        locks.stopDraining();

        assertThatThrownBy(() -> locks.acquire(JOB)).isInstanceOf(LockManagerClosedException.class);
    }

    @Test
    void closedManagerNeitherStartsNorStopsDraining() {
        LockDiagnostics diagnostics = locks.diagnostics().orElseThrow();
        locks.close();

        try (CapturedLogs logs = new CapturedLogs(Level.INFO)) {
            locks.startDraining();
            assertThat(diagnostics.isDraining()).isFalse();
            locks.stopDraining();

            assertThat(logs.everything()).isEmpty();
        }
    }

    @Test
    void waitersEndImmediately() throws Exception {
        InMemoryLockStore rows = new InMemoryLockStore();
        List<Thread> callers = new CopyOnWriteArrayList<>();
        var threads = Executors.newCachedThreadPool(task -> {
            callers.add(new Thread(task));
            return callers.get(callers.size() - 1);
        });
        Duration never = Duration.ofHours(1);
        try (LockManager holder = LockManager.builder(rows).leaseDuration(never).build();
                LockManager draining =
                        LockManager.builder(rows).pollMin(never).pollMax(never).build();
                Lease held = holder.acquire(JOB)) {
            LockRequest patient = JOB.waitTime(never);
            Future<?> first = threads.submit(() -> draining.acquire(patient));
            Future<?> second = threads.submit(() -> draining.acquire(patient));
            CompletableFuture<?> third = draining.acquireAsync(patient);
            DefaultLockManager open = (DefaultLockManager) draining;
            await().until(() -> open.registry.acquisitions.size() == 3);
            await().until(() -> callers.stream().allMatch(caller -> caller.getState() == Thread.State.TIMED_WAITING));

            draining.startDraining();

            assertEnds(first);
            assertEnds(second);
            assertEnds(third);
            assertThat(held.isHeld()).isTrue();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void waitForPermitEnds() throws Exception {
        FaultyStore store = new FaultyStore(new InMemoryLockStore());
        CountDownLatch answered = new CountDownLatch(1);
        store.next(Fault.then(() -> Latches.await(answered)));
        var threads = Executors.newCachedThreadPool();
        try (LockManager small = LockManager.builder(store)
                .time(LeaseTime.SYSTEM)
                .maxConcurrentRequests(1)
                .leaseDuration(Duration.ofHours(1))
                .callTimeout(Duration.ofMinutes(10))
                .attemptTimeout(Duration.ofMinutes(5))
                .build()) {
            Future<?> sending = threads.submit(() -> small.tryAcquire("hangs"));
            await().until(() -> !store.operations().isEmpty());
            Future<?> waiting = threads.submit(() -> small.tryAcquire("job"));
            DefaultLockManager open = (DefaultLockManager) small;
            await().until(() -> open.registry.acquisitions.size() == 2);

            small.startDraining();

            assertEnds(waiting);
            answered.countDown();
            assertEnds(sending);
            assertThat(small.held()).isEmpty();
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void lockOfRequestInFlightIsReleased() {
        node.store.next(Fault.then(locks::startDraining));

        assertRejected(() -> locks.tryAcquire("job"));
        node.pass(Duration.ofSeconds(1));

        assertThat(node.row("job").isFree()).isTrue();
        assertThat(locks.held()).isEmpty();
        assertThat(node.events.all).containsExactly("failed job");
    }

    @Test
    void unansweredRequestInFlightIsUndone() {
        node.store.next(Fault.first(locks::startDraining).andThen(() -> {
            throw new LockStoreException("x", "no response", null, true, true);
        }));

        assertRejected(() -> locks.tryAcquire("job"));
        node.pass(Duration.ofSeconds(1));

        assertThat(node.row("job").isFree()).isTrue();
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE, Operation.RELEASE);
    }

    @Test
    void leaseResumedMeanwhileIsReleased() {
        LeaseToken token = node.rival().take("job").detach();
        node.store.next(Fault.then(() -> {}), Fault.then(locks::startDraining));

        assertRejected(() -> locks.resume(token));
        node.pass(Duration.ofSeconds(1));

        assertThat(node.row("job").isFree()).isTrue();
    }

    private static void assertEnds(Future<?> acquisition) {
        assertThat(acquisition)
                .failsWithin(TestRun.TIMEOUT)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LockManagerDrainingException.class);
    }

    private static void assertRejected(ThrowingCallable acquire) {
        assertThatThrownBy(acquire).isInstanceOf(LockManagerDrainingException.class);
    }
}
