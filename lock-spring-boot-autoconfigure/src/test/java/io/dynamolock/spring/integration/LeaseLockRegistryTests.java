/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerDrainingException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState.Status;
import io.dynamolock.LockStoreException;
import io.dynamolock.spring.AdapterFixture;
import io.dynamolock.spring.Locking;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.integration.support.locks.DistributedLock;
import org.springframework.integration.util.CheckedCallable;
import org.springframework.integration.util.CheckedRunnable;

/** Locks of the registry, in one process and between two. */
@SuppressWarnings("LockNotBeforeTry") // a failing test ends with its manager
class LeaseLockRegistryTests extends AdapterFixture {

    private final LeaseLockRegistry registry = new LeaseLockRegistry(manager);
    private final DistributedLock lock = registry.obtain("job");

    @Test
    void lockIsThatOfItsNameInAllProcesses() {
        lock.lock();
        assertThat(manager.inspect("job").status()).isEqualTo(Status.HELD);
        lock.unlock();
        rival.hold("job");

        assertThat(lock.tryLock()).isFalse();

        rival.release("job");
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    void lockAndUnlockAreOneRequestEach() {
        lock.lock();
        lock.unlock();

        assertThat(store.acquisitions()).isOne();
        assertThat(store.releases()).isOne();
        assertThat(store.reads()).isZero();
    }

    @Test
    @SuppressWarnings("NullAway") // callers without null checks
    void nullIsRejectedBeforeAnyRequest() {
        CheckedRunnable<RuntimeException> runnable = () -> {};
        CheckedCallable<String, RuntimeException> callable = () -> "result";

        assertRejectsNull("runnable", () -> registry.executeLocked("job", (CheckedRunnable<RuntimeException>) null));
        assertRejectsNull(
                "callable", () -> registry.executeLocked("job", (CheckedCallable<String, RuntimeException>) null));
        assertRejectsNull(
                "runnable",
                () -> registry.executeLocked("job", Duration.ZERO, (CheckedRunnable<RuntimeException>) null));
        assertRejectsNull(
                "callable",
                () -> registry.executeLocked("job", Duration.ZERO, (CheckedCallable<String, RuntimeException>) null));
        assertRejectsNull("waitLockDuration", () -> registry.executeLocked("job", null, runnable));
        assertRejectsNull("waitLockDuration", () -> registry.executeLocked("job", null, callable));

        assertThat(store.writes()).isZero();
    }

    private static void assertRejectsNull(String parameter, ThrowingCallable call) {
        assertThatNullPointerException().isThrownBy(call).withMessage(parameter);
    }

    @Test
    void nestedLockSendsNoRequest() throws Exception {
        lock.lock();
        int before = store.writes();

        assertThat(registry.obtain("job").tryLock()).isTrue();
        assertThat(registry.obtain("job").tryLock(1, TimeUnit.SECONDS)).isTrue();
        lock.unlock();
        lock.unlock();

        assertThat(store.writes()).isEqualTo(before);
        assertThat(manager.inspect("job").status()).isEqualTo(Status.HELD);
        lock.unlock();
        assertThat(manager.inspect("job").status()).isEqualTo(Status.FREE);
    }

    @Test
    void lockIsRenewedForAsLongAsItIsHeld() {
        lock.lock();

        clock.advance(Duration.ofHours(1));

        assertThat(manager.held()).hasSize(1);
        lock.unlock();
    }

    @Test
    void ttlIsTheLeaseDuration() throws Exception {
        lock.lock(Duration.ofSeconds(90));
        assertThat(remaining()).isBetween(Duration.ofSeconds(80), Duration.ofSeconds(90));
        lock.unlock();

        assertThat(lock.tryLock(Duration.ZERO, Duration.ofMinutes(5))).isTrue();
        assertThat(remaining()).isGreaterThan(Duration.ofSeconds(290));

        registry.renewLock("job", Duration.ofMinutes(10));
        assertThat(remaining()).isGreaterThan(Duration.ofSeconds(590));
        registry.renewLock("job");
        assertThat(remaining()).isLessThanOrEqualTo(Duration.ofMinutes(5));
        lock.unlock();
    }

    private Duration remaining() {
        return Duration.between(
                clock.instant(), manager.held().findFirst().orElseThrow().expiresAt());
    }

    @Test
    void onlyTheHolderRenewsAndUnlocks() throws Exception {
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(lock::unlock)
                .withMessageContaining("'job' is not held by thread");
        lock.lock();

        CompletableFuture.runAsync(() -> {
                    assertThatExceptionOfType(IllegalMonitorStateException.class)
                            .isThrownBy(lock::unlock);
                    assertThatExceptionOfType(IllegalMonitorStateException.class)
                            .isThrownBy(() -> registry.renewLock("job"));
                    assertThat(lock.tryLock()).isFalse();
                })
                .get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS);

        assertThat(manager.inspect("job").status()).isEqualTo(Status.HELD);
        lock.unlock();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    }

    @Test
    void otherThreadGetsTheLockAfterUnlock() throws Exception {
        lock.lock();
        CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> {
            registry.obtain("job").lock();
            boolean held = manager.held().count() == 1;
            registry.obtain("job").unlock();
            return held;
        });
        assertThat(other).isNotDone();

        lock.unlock();

        assertThat(other.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void threadThatGivesUpLetsTheNextOneWait() throws Exception {
        rival.hold("job");
        Thread impatient = new Thread(() -> {
            try {
                assertThat(lock.tryLock(500, TimeUnit.MILLISECONDS)).isFalse();
            } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
        });
        impatient.start();
        Awaitility.await().until(() -> lock.toString().contains("waited for by thread"));
        CompletableFuture<Void> next = CompletableFuture.runAsync(() -> {
            lock.lock();
            lock.unlock();
        });
        impatient.join(Locking.TIMEOUT.toMillis());

        rival.release("job");

        assertThat(next).succeedsWithin(Locking.TIMEOUT);
    }

    @Test
    void waitForALockIsBounded() throws Exception {
        rival.hold("job");

        assertThat(lock.tryLock(30, TimeUnit.MILLISECONDS)).isFalse();
        assertThat(lock.tryLock(-1, TimeUnit.DAYS)).isFalse();
        assertThat(lock.tryLock(Duration.ofMillis(10), Duration.ofSeconds(5))).isFalse();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    }

    @Test
    void lockFreeAgainIsAcquiredInAnyWaitTime() throws Exception {
        for (int millis : new int[] {1, 20, 300}) {
            rival.hold("job");
            assertThat(lock.tryLock(millis, TimeUnit.MILLISECONDS)).isFalse();
            rival.release("job");

            assertThat(lock.tryLock(millis, TimeUnit.MILLISECONDS)).isTrue();
            lock.unlock();
        }
    }

    @Test
    void lockThatChangesHandsIsAcquiredWhenItIsFree() throws Exception {
        rival.hold("job");
        assertThat(lock.tryLock(600, TimeUnit.MILLISECONDS)).isFalse();
        rival.release("job");
        rival.hold("job");
        CompletableFuture<Void> release = CompletableFuture.runAsync(
                () -> rival.release("job"), CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS));

        assertThat(lock.tryLock(600, TimeUnit.MILLISECONDS)).isTrue();

        assertThat(release).succeedsWithin(Locking.TIMEOUT);
        lock.unlock();
    }

    @Test
    void interruptEndsTheWaitsThatSaySo() throws Exception {
        rival.hold("job");
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);

        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> lock.tryLock(1, TimeUnit.MINUTES));

        Thread.currentThread().interrupt();
        assertThat(lock.tryLock()).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void lockIsNotEndedByAnInterrupt() throws Exception {
        rival.hold("job");
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread waiting = new Thread(() -> {
            lock.lock();
            interrupted.complete(Thread.currentThread().isInterrupted());
            lock.unlock();
        });
        waiting.start();
        Awaitility.await().until(() -> Locking.isWaiting(waiting));
        waiting.interrupt();
        Awaitility.await().until(() -> Locking.isWaiting(waiting));

        rival.release("job");

        assertThat(interrupted.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        waiting.join(Locking.TIMEOUT.toMillis());
        assertThat(manager.inspect("job").status()).isEqualTo(Status.FREE);
    }

    @Test
    void lockMethodOfAManagerIsReentered() throws Exception {
        try (Lease outer = manager.acquire(LockRequest.of("job").reentrant(true))) {
            lock.lock();
            lock.unlock();
            assertThat(outer.isHeld()).isTrue();
        }
        assertThat(store.writes()).isEqualTo(2);
    }

    @Test
    void threadsThatWaitDoNotKeepAThreadFromReentering() throws Exception {
        Thread waiting = new Thread(() -> {
            lock.lock();
            lock.unlock();
        });
        try (Lease outer = manager.acquire(LockRequest.of("job").reentrant(true))) {
            waiting.start();
            Awaitility.await().until(() -> Locking.isWaiting(waiting));

            assertThat(lock.tryLock()).isTrue();
            assertThat(lock.tryLock(600, TimeUnit.MILLISECONDS)).isTrue();
            lock.unlock();
            assertThat(lock)
                    .hasToString("RegistryLock[job, held by thread '%s']"
                            .formatted(Thread.currentThread().getName()));
            lock.unlock();

            assertThat(outer.isHeld()).isTrue();
        }
        waiting.join(Locking.TIMEOUT.toMillis());
        assertThat(waiting.isAlive()).isFalse();
    }

    @Test
    void lockThatWasBusyForLongIsReentered() throws Exception {
        rival.hold("job");
        for (int i = 0; i < 2; i++) {
            assertThat(lock.tryLock(500, TimeUnit.MILLISECONDS)).isFalse(); // is polled once a second from now on
        }
        rival.release("job");

        try (Lease outer = manager.acquire(LockRequest.of("job").reentrant(true))) {
            assertThat(lock.tryLock(500, TimeUnit.MILLISECONDS)).isTrue();
            lock.unlock();
            assertThat(outer.isHeld()).isTrue();
        }
    }

    @Test
    void otherThreadsSendNoRequestWhileTheLockIsHeld() throws Exception {
        lock.lock();
        int before = store.writes();

        CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> {
            try {
                return lock.tryLock() || lock.tryLock(20, TimeUnit.MILLISECONDS);
            } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
        });

        assertThat(other.get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isFalse();
        assertThat(store.writes()).isEqualTo(before);
        assertThat(store.reads()).isZero();
        lock.unlock();
    }

    /** Such a manager grants a lease to each thread; threads still take turns, as in any registry. */
    @Test
    void threadsExcludeEachOtherAlsoWhereLocksAreOff() throws Exception {
        try (LockManager unlocked = LockManager.unlocked()) {
            DistributedLock local = new LeaseLockRegistry(unlocked).obtain("job");
            local.lock();

            assertThat(CompletableFuture.supplyAsync(local::tryLock).get(Locking.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isFalse();

            local.unlock();
        }
    }

    @Test
    void failingStoreLeavesNothingLocked() {
        store.fail();

        assertThatExceptionOfType(LockStoreException.class).isThrownBy(lock::lock);
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(lock::tryLock);
        assertThatExceptionOfType(LockStoreException.class).isThrownBy(() -> lock.tryLock(10, TimeUnit.MILLISECONDS));

        store.heal();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    void hangingStoreIsReportedAfterItsTimeout() throws Exception {
        lock.lock();
        store.hang();

        assertThatExceptionOfType(LockStoreException.class).isThrownBy(lock::unlock);

        store.heal();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        clock.advance(Duration.ofMinutes(2));
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
    }

    @Test
    void locksTakeMemoryWhileInUseOnly() throws Exception {
        LocalLocks locks = new LocalLocks(manager);
        for (int i = 0; i < 1_000; i++) {
            RegistryLock each = new RegistryLock(locks, LockRequest.of("job-" + i));
            each.lock();
            assertThat(locks.size()).isOne();
            each.unlock();
        }
        rival.hold("job");
        assertThat(new RegistryLock(locks, LockRequest.of("job")).tryLock(500, TimeUnit.MILLISECONDS))
                .isFalse();

        assertThat(locks.size()).isZero();
        assertThat(locks.pacer().size()).isOne();
    }

    @Test
    void keyNeedsATextThatAllProcessesShare() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.obtain(new Object()))
                .withMessageContaining("java.lang.Object must implement toString()");
        assertThatIllegalArgumentException().isThrownBy(() -> registry.obtain(new byte[1]));
        assertThatIllegalArgumentException().isThrownBy(() -> registry.obtain(" "));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LeaseLockRegistry(manager, "integration/").obtain(""))
                .withMessageContaining("must not be blank");
        assertThat(new LeaseLockRegistry(manager, "integration/").obtain(4711))
                .hasToString("RegistryLock[integration/4711, not held here]");
    }

    @Test
    void textOfALockNamesItsHolder() {
        lock.lock();
        assertThat(lock)
                .hasToString("RegistryLock[job, held by thread '%s']"
                        .formatted(Thread.currentThread().getName()));
        lock.unlock();
    }

    @Test
    void messageNamesTheParameterOfTheFramework() {
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> lock.lock(Duration.ZERO), () -> lock.tryLock(Duration.ofSeconds(1), Duration.ofDays(400)))) {
            assertThatIllegalArgumentException().isThrownBy(call).withMessageStartingWith("ttl must be between");
        }
    }

    @Test
    void messageOfARenewalNamesTheParameterOfTheFramework() {
        lock.lock();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> registry.renewLock("job", Duration.ofDays(400)))
                .withMessageStartingWith("ttl must be between");
        lock.unlock();
    }

    @Test
    void drainingManagerAcquiresNothingButReentersRenewsAndUnlocks() {
        lock.lock();
        manager.startDraining();

        registry.renewLock("job");
        assertThat(lock.tryLock()).isTrue();
        lock.unlock();
        lock.unlock();
        assertThatExceptionOfType(LockManagerDrainingException.class).isThrownBy(lock::lock);
        assertThatExceptionOfType(LockManagerDrainingException.class).isThrownBy(lock::tryLock);
    }

    @Test
    void drainingManagerEndsTheWaitForAnotherProcess() {
        rival.hold("job");
        CompletableFuture<Void> waiter = CompletableFuture.runAsync(lock::lock);
        Awaitility.await().until(() -> lock.toString().contains("waited for by thread"));

        manager.startDraining();

        assertThat(waiter)
                .failsWithin(Duration.ofMinutes(1))
                .withThrowableThat()
                .withCauseInstanceOf(LockManagerDrainingException.class);
    }

    @Test
    void drainingManagerEndsTheWaitForAThreadThatUnlocks() {
        lock.lock();
        CompletableFuture<Void> waiter = CompletableFuture.runAsync(lock::lock);
        manager.startDraining();

        lock.unlock();

        assertThat(waiter)
                .failsWithin(Duration.ofMinutes(1))
                .withThrowableThat()
                .withCauseInstanceOf(LockManagerDrainingException.class);
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

        assertThat(shown.get(1, TimeUnit.MINUTES))
                .isEqualTo("RegistryLock[job, held by thread '#%d']", unnamed.getId());
        unnamed.join();
    }
}
