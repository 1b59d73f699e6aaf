/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockListener.Operation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code LockManager.asLock}: the contract of {@code java.util.concurrent.locks.Lock}. */
@SuppressWarnings("LockNotBeforeTry") // how a lock is used wrongly is part of its contract
class LeaseLockTests {

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final Node node = Node.alone();
    private final Node rival = node.rival();
    private final Lock lock = node.locks.asLock("job");

    @AfterEach
    void clearInterrupt() {
        var unused = Thread.interrupted();
    }

    @Test
    void uncontendedLockAndUnlockAreTwoRequestsOnCallingThread() {
        AtomicReference<Thread> thread = new AtomicReference<>();
        node.store.next(Fault.then(() -> thread.set(Thread.currentThread())));

        lock.lock();
        assertThat(rival.locks.tryAcquire("job")).isEmpty();
        lock.unlock();

        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE, Operation.RELEASE);
        assertThat(thread).hasValue(Thread.currentThread());
        assertThat(rival.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void threadLocksAgainWithoutRequestAndUnlocksAsOften() throws Exception {
        lock.lock();
        lock.lockInterruptibly();
        assertThat(lock.tryLock()).isTrue();
        assertThat(lock.tryLock(-1, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
        lock.unlock();
        lock.unlock();

        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE);
        assertThat(node.row("job").isFree()).isFalse();
        lock.unlock();
        assertThat(node.row("job").isFree()).isTrue();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    }

    @Test
    void strangerCannotUnlock() {
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(lock::unlock)
                .withMessageContaining("job");
        lock.lock();

        assertThatThrownBy(() -> elsewhere(() -> {
                    lock.unlock();
                    return true;
                }))
                .hasCauseInstanceOf(IllegalMonitorStateException.class);

        assertThat(node.row("job").isFree()).isFalse();
        assertThatCode(lock::unlock).doesNotThrowAnyException();
    }

    @Test
    void twoObjectsExcludeThreadsAndAreReentrantTogether() throws Exception {
        Lock other = node.locks.asLock(LockRequest.of("job"));

        lock.lock();
        assertThat(other.tryLock()).isTrue();
        assertThat(elsewhere(other::tryLock)).isFalse();
        lock.unlock();
        assertThat(node.row("job").isFree()).isFalse();
        lock.unlock();

        assertThat(node.row("job").isFree()).isTrue();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(other::unlock);
        assertThat(elsewhere(lock::tryLock)).isTrue();
        assertThat(other.tryLock()).isFalse();
    }

    @Test
    void lockIsUnlockedThroughAnyObject() {
        LockManager unlocked = LockManager.unlocked();
        for (LockManager manager : List.of(node.locks, unlocked)) {
            manager.asLock("job").lock();
            assertThat(manager.asLock("job")).asString().contains("locked by thread");
            assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(manager.asLock("other")::unlock);

            manager.asLock("job").unlock();

            assertThat(manager.asLock("job")).asString().contains("not locked here");
        }
        assertThat(node.row("job").isFree()).isTrue();
        assertThat(((DefaultLockManager) node.locks).lockHolds.size()).isZero();
    }

    @Test
    void tryLockNeverWaitsAndKeepsInterrupt() throws Exception {
        Node patient = Node.alone(Node.settingsWith(settings -> settings.waitTime(Duration.ofHours(1))));
        Lease held = patient.take("job");
        Thread.currentThread().interrupt();

        assertThat(patient.locks.asLock("job").tryLock()).isFalse();
        held.close();
        assertThat(patient.locks.asLock("job").tryLock()).isTrue();

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void tryLockWithoutTimeLeftIsOneRequest() throws Exception {
        rival.take("job");

        assertThat(lock.tryLock(0, TimeUnit.DAYS)).isFalse();
        assertThat(lock.tryLock(Long.MIN_VALUE, TimeUnit.DAYS)).isFalse();

        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE, Operation.ACQUIRE);
    }

    @Test
    void tryLockWaitsUpToTime() throws Exception {
        try (LockManager locks = realTime()) {
            Lease held = locks.acquire("job");

            assertThat(elsewhere(() -> locks.asLock("job").tryLock(50, TimeUnit.MILLISECONDS)))
                    .isFalse();
            held.close();
            assertThat(locks.asLock("job").tryLock(Long.MAX_VALUE, TimeUnit.DAYS))
                    .isTrue();
        }
    }

    @Test
    void interruptedThreadDoesNotWaitInterruptibly() {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> lock.tryLock(0, TimeUnit.SECONDS));

        assertThat(Thread.interrupted()).isFalse();
        assertThat(node.store.operations()).isEmpty();
    }

    @Test
    void lockKeepsInterruptForLater() {
        Thread.currentThread().interrupt();

        lock.lock();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(node.row("job").isFree()).isFalse();
    }

    @Test
    void interruptDoesNotEndLock() throws Exception {
        try (LockManager locks = realTime()) {
            Lease held = locks.acquire("job");
            CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
            Thread waiter = new Thread(() -> {
                Lock own = locks.asLock(LockRequest.of("job").waitTime(Duration.ofMillis(1)));
                own.lock();
                interrupted.complete(Thread.interrupted());
                own.unlock();
            });
            waiter.start();
            awaitWaiting(waiter);

            waiter.interrupt();
            awaitWaiting(waiter);
            assertThat(interrupted).isNotDone();
            held.close();

            assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
            waiter.join();
        }
    }

    @Test
    void interruptEndsLockInterruptibly() throws Exception {
        try (LockManager locks = realTime()) {
            Lease held = locks.acquire("job");
            CompletableFuture<Throwable> thrown = new CompletableFuture<>();
            Thread waiter = new Thread(() -> {
                try {
                    locks.asLock("job").lockInterruptibly();
                } catch (Throwable failure) {
                    thrown.complete(failure);
                }
            });
            waiter.start();
            awaitWaiting(waiter);

            waiter.interrupt();

            assertThat(thrown.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
            held.close();
            assertThat(locks.tryAcquire("job")).isPresent();
        }
    }

    private static void awaitWaiting(Thread thread) throws InterruptedException {
        int times = 0;
        for (int i = 0; i < 1_000 && times < 20; i++) {
            times = thread.getState() == Thread.State.TIMED_WAITING && !thread.isInterrupted() ? times + 1 : 0;
            TimeUnit.MILLISECONDS.sleep(5);
        }
        assertThat(times).isEqualTo(20);
    }

    @Test
    void unlockReportsLostLease() {
        lock.lock();
        node.scheduler.freeze(LEASE.plusSeconds(2));
        rival.take("job");

        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lock::unlock);

        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        assertThat(lock.tryLock()).isFalse();
        assertThat(rival.locks.held()).hasSize(1);
    }

    @Test
    void lossThatOnlyUnlockFindsIsReported() {
        lock.lock();
        node.store.rows().clear();

        assertThatExceptionOfType(LeaseLostException.class)
                .isThrownBy(lock::unlock)
                .satisfies(lost -> assertThat(lost.loss()).extracting("reason").isEqualTo(Reason.DELETED));
    }

    @Test
    void threadWhoseLeaseWasLostCanLockAgain() {
        lock.lock();
        node.scheduler.freeze(LEASE.plusSeconds(2));

        lock.lock();
        lock.unlock();
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lock::unlock);

        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void lostHoldsOfEndedThreadsAreForgotten() throws Exception {
        Lock left = node.locks.asLock(LockRequest.of("left").autoRenew(false));
        Lock lost = node.locks.asLock(LockRequest.of("lost").autoRenew(false));
        lost.lock();
        runToEnd(lock::lock);

        for (int i = 0; i < 300; i++) {
            runToEnd(left::lock);
            node.pass(Duration.ofMinutes(1));
        }

        assertThat(((DefaultLockManager) node.locks).lockHolds.size()).isLessThan(100);
        assertThat(lock).asString().contains("locked by thread");
        assertThatExceptionOfType(LeaseLostException.class).isThrownBy(lost::unlock);
    }

    private static void runToEnd(Runnable work) throws InterruptedException {
        Thread thread = new Thread(work);
        thread.start();
        thread.join();
    }

    @Test
    void storeFailureLeavesNothingLocked() {
        node.store.next(Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE);

        assertThatExceptionOfType(LockStoreException.class).isThrownBy(lock::lock);

        assertThat(rival.locks.tryAcquire("job")).isPresent();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    }

    @Test
    void failedUnlockEndsHold() {
        lock.lock();
        node.store.next(Fault.LOSE_REQUEST, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST);

        assertThatExceptionOfType(LockStoreException.class).isThrownBy(lock::unlock);

        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        assertThat(node.locks.held()).isEmpty();
    }

    @Test
    void closedManagerRejectsLock() {
        node.locks.close();

        assertThatExceptionOfType(LockManagerClosedException.class).isThrownBy(lock::lock);
        assertThatExceptionOfType(LockManagerClosedException.class).isThrownBy(lock::tryLock);
    }

    @Test
    void severalLocksAreOne() {
        Lock both = node.locks.asLock(LockRequest.ofAll(List.of("a", "b")));

        both.lock();
        both.lock();
        both.unlock();
        assertThat(rival.locks.tryAcquire("b")).isEmpty();
        both.unlock();

        assertThat(rival.locks.tryAcquire("a")).isPresent();
        assertThat(rival.locks.tryAcquire("b")).isPresent();
    }

    @Test
    void lockWithoutLockingPassesThrough() throws Exception {
        Lock unlocked = LockManager.unlocked().asLock("job");

        unlocked.lock();
        assertThat(elsewhere(unlocked::tryLock)).isTrue();
        unlocked.unlock();

        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(unlocked::unlock);
    }

    @Test
    void hasNoConditions() {
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(lock::newCondition);
    }

    @Test
    void textShowsNameAndHolder() {
        assertThat(lock).hasToString("Lock[job, not locked here]");
        lock.lock();
        assertThat(lock)
                .hasToString(
                        "Lock[job, locked by thread " + Thread.currentThread().getName() + "]");
    }

    private static LockManager realTime() {
        return LockManager.builder(new io.dynamolock.memory.InMemoryLockStore())
                .shutdownGrace(Duration.ZERO)
                .build();
    }

    private static boolean elsewhere(Callable<Boolean> action) throws ExecutionException, InterruptedException {
        return CompletableFuture.supplyAsync(() -> {
                    try {
                        return action.call();
                    } catch (RuntimeException failure) {
                        throw failure;
                    } catch (Exception failure) {
                        throw new IllegalStateException(failure);
                    }
                })
                .get();
    }

    /** As virtual ones are by default. */
    @Test
    void threadWithoutNameIsNamedByItsNumber() throws Exception {
        CompletableFuture<String> shown = new CompletableFuture<>();
        Thread unnamed = new Thread(
                () -> {
                    lock.lock();
                    shown.complete(lock.toString());
                    lock.unlock();
                },
                "");
        unnamed.start();

        assertThat(shown.get(1, TimeUnit.MINUTES)).isEqualTo("Lock[job, locked by thread #%d]", unnamed.getId());
        unnamed.join();
    }
}
