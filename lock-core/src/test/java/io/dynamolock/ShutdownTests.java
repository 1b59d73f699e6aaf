/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
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
    void releasesWhatNobodyWorksUnder_andTellsIt() {
        Node node = Node.alone();
        Lease lease = node.take("job");

        node.locks.close();

        assertThat(node.row("job").isFree()).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(node.told.losses).extracting(LeaseLost::reason).containsExactly(Reason.CLOSED);
        assertThat(node.tasks.isClosed()).isTrue();
        lease.close();
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE, Operation.RELEASE);
    }

    @Test
    void oneReleaseThatFailsStopsNothing() {
        Node node = Node.alone();
        for (int i = 0; i < 10; i++) {
            node.take("job-" + i);
        }
        node.store.next(Fault.then(() -> {}), Fault.DENY, Fault.BUG);

        node.locks.close();

        long free = 0;
        for (int i = 0; i < 10; i++) {
            free += node.row("job-" + i).isFree() ? 1 : 0;
        }
        assertThat(free).isEqualTo(8);
        assertThat(node.tasks.isClosed()).isTrue();
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
                    .build();
            assertThat(locks.tryAcquire("job")).isPresent();
            CompletableFuture<Void> underWay =
                    locks.tryAcquireAsync(LockRequest.of("other")).thenAccept(lease -> lease.ifPresent(Lease::release));
            locks.close();
            locks.close();
            assertThat(underWay).isDone();
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
