/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ShutdownTests {

    @Test
    void leavesAnOpenLeaseToRunOutAndTellsIt() {
        Node node = Node.alone();
        Lease lease = node.take("job");

        node.locks.close();

        assertThat(node.row("job").isFree()).isFalse();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(node.told.losses).extracting(LeaseLost::reason).containsExactly(Reason.CLOSED);
        assertThat(node.tasks.isClosed()).isTrue();
        lease.close();
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE);
    }

    @Test
    void theHolderMayStillReleaseAfterwards() {
        Node node = Node.alone();
        Lease lease = node.take("job");
        node.locks.close();

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void neverReleasesBecauseTheAcquiringThreadHasEnded() throws Exception {
        Node node = Node.alone();
        Thread acquiring = new Thread(() -> node.take("job"));
        acquiring.start();
        acquiring.join(10_000);

        node.locks.close();

        assertThat(node.told.losses).extracting(LeaseLost::reason).containsExactly(Reason.CLOSED);
        assertThat(node.row("job").isFree()).isFalse();
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE);
    }

    @Test
    void keepsEachOpenLeaseAliveUntilItsHolderReleasesIt() throws Exception {
        InMemoryLockStore rows = new InMemoryLockStore();
        LockManager locks = LockManager.builder(rows)
                .leaseDuration(Duration.ofMillis(500))
                .shutdownGrace(Duration.ofMinutes(1))
                .build();
        Lease lease = locks.tryAcquire("job").orElseThrow();
        Thread closer = new Thread(locks::close);
        closer.start();
        Instant end = lease.expiresAt();
        await().until(() -> lease.expiresAt().isAfter(end.plusSeconds(1)));
        boolean waits = closer.isAlive();

        lease.release();
        closer.join(10_000);

        assertThat(waits).isTrue();
        assertThat(closer.isAlive()).isFalse();
        assertThat(Node.row(rows, "job").isFree()).isTrue();
    }

    @Test
    void withoutOpenLeasesClosesAtOnce() {
        LockManager locks = LockManager.builder(new InMemoryLockStore())
                .shutdownGrace(Duration.ofMinutes(1))
                .build();
        locks.tryAcquire("job").orElseThrow().release();

        assertTimeout(Duration.ofSeconds(30), locks::close);
    }

    @Test
    void inTheGracePeriodLeasesAreRenewedAndHandedOver() throws Exception {
        InMemoryLockStore rows = new InMemoryLockStore();
        LockManager locks =
                LockManager.builder(rows).shutdownGrace(Duration.ofMinutes(1)).build();
        Lease lease = locks.tryAcquire("job").orElseThrow();
        Thread closer = new Thread(locks::close);
        closer.start();
        await().until(() -> isClosed(locks));

        lease.renew();
        lease.renew(Duration.ofSeconds(20));
        LeaseToken token = lease.detach();
        closer.join(10_000);

        assertThat(closer.isAlive()).isFalse();
        try (LockManager successor = LockManager.builder(rows).build();
                Lease resumed = successor.resume(token)) {
            assertThat(resumed.isHeld()).isTrue();
        }
    }

    private static boolean isClosed(LockManager locks) {
        try {
            locks.inspect("job");
            return false;
        } catch (LockManagerClosedException closed) {
            return true;
        }
    }

    @Test
    void neverReleasesUnderWorkThatGoesOn() throws Exception {
        InMemoryLockStore rows = new InMemoryLockStore();
        LockManager locks =
                LockManager.builder(rows).shutdownGrace(Duration.ofMillis(100)).build();
        CountDownLatch works = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread worker = new Thread(() -> {
            try {
                locks.tryRun(LockRequest.of("job"), () -> {
                    works.countDown();
                    Latches.await(mayEnd);
                });
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        });
        worker.start();
        assertThat(works.await(10, TimeUnit.SECONDS)).isTrue();

        locks.close();

        LockRow row = Node.row(rows, "job");
        assertThat(row.isFree()).isFalse();
        mayEnd.countDown();
        worker.join(10_000);
        assertThat(Node.row(rows, "job")).isEqualTo(row);
    }

    @Test
    void neverReleasesUnderTheWorkThatClosesTheManagerItself() throws InterruptedException {
        Node node = Node.alone();

        node.locks.tryRun(LockRequest.of("job"), () -> {
            node.locks.close();
            assertThat(node.row("job").isFree()).isFalse();
        });

        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE);
    }

    @Test
    void waitsForWorkThatEndsWithinTheGracePeriod() throws Exception {
        InMemoryLockStore rows = new InMemoryLockStore();
        LockManager locks = LockManager.builder(rows).build();
        CountDownLatch works = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread worker = new Thread(() -> {
            try (Lease lease = locks.tryAcquire("job").orElseThrow()) {
                works.countDown();
                Latches.await(mayEnd);
                lease.ensureHeld();
            }
        });
        worker.start();
        assertThat(works.await(10, TimeUnit.SECONDS)).isTrue();
        Thread closer = new Thread(locks::close);
        closer.start();

        mayEnd.countDown();
        closer.join(9_000);

        assertThat(closer.isAlive()).isFalse();
        assertThat(Node.row(rows, "job").isFree()).isTrue();
    }

    @Test
    void anAcquisitionThatBeginsWhileTheManagerIsClosedEndsToo() {
        AtomicReference<Runnable> next = new AtomicReference<>(() -> {});
        LockManager locks = LockManager.builder(new InMemoryLockStore())
                .nanoTime(() -> {
                    next.getAndSet(() -> {}).run();
                    return System.nanoTime();
                })
                .build();
        next.set(locks::close);

        CompletableFuture<Optional<Lease>> late =
                locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofMinutes(1)));

        assertThat(late)
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withCauseInstanceOf(LockManagerClosedException.class);
    }

    @Test
    void aHundredStartsAndStopsLeaveNoThread() throws Exception {
        for (int i = 0; i < 100; i++) {
            LockManager locks = LockManager.builder(new InMemoryLockStore())
                    .leaseDuration(Duration.ofMillis(300))
                    .heartbeatInterval(Duration.ofMillis(5))
                    .shutdownGrace(Duration.ZERO)
                    .build();
            assertThat(locks.tryAcquire("job")).isPresent();
            CompletableFuture<Void> underWay =
                    locks.tryAcquireAsync(LockRequest.of("other")).thenAccept(lease -> lease.ifPresent(Lease::release));
            locks.close();
            locks.close();
            await().until(underWay::isDone);
        }

        await().untilAsserted(() -> assertThat(threads()).isEmpty());
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .map(Thread::getName)
                .filter(name -> name.startsWith("dynamolock-"))
                .collect(Collectors.toSet());
    }
}
