/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.integration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.AdapterFixture;
import io.dynamolock.spring.Locking;
import java.io.IOException;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.concurrent.TimeoutException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.integration.support.locks.DistributedLock;

/** Locks of the registry that are lost while they are held, and tasks under them. */
@SuppressWarnings("LockNotBeforeTry") // a failing test ends with its manager
class LostRegistryLockTests extends AdapterFixture {

    private final LeaseLockRegistry registry = new LeaseLockRegistry(manager);
    private final DistributedLock lock = registry.obtain("job");

    private void steal() {
        rival.steal("job");
        clock.advance(Duration.ofSeconds(20)); // the next renewal finds the loss
    }

    @Test
    void unlockSaysThatTheLockWasLost() {
        lock.lock();
        steal();

        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(lock::unlock)
                .withMessageContaining("'job' was lost")
                .withCauseInstanceOf(LeaseLostException.class);

        rival.release("job");
        lock.lock();
        lock.unlock();
    }

    @Test
    void unlockSaysWhatOnlyTheReleaseHasFound() {
        lock.lock();
        rival.steal("job");

        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(lock::unlock)
                .havingCause()
                .isInstanceOf(LeaseLostException.class)
                .withMessageContaining("it was taken over by 'rival'");
    }

    @Test
    void unlockSaysThatTheLeaseExpiredDuringAPause() {
        lock.lock();

        clock.pauseProcess(Duration.ofMinutes(5));

        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
    }

    @Test
    void lostLockCannotBeEnteredAgain() {
        lock.lock();
        steal();

        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::lock);
        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::tryLock);
        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(() -> registry.renewLock("job"));

        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
        assertThat(lock.tryLock()).isFalse();
    }

    @Test
    void lostLeaseOfTheThreadsOwnCannotBeEnteredAgain() throws Exception {
        try (Lease outer = manager.acquire(LockRequest.of("job").reentrant(true))) {
            lock.lock();
            steal();

            assertThat(outer.isHeld()).isFalse();
            assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::tryLock);
            assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
            assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        }
    }

    /** Otherwise each of the two would wait for the other: the first for the lease, the second for the first to leave. */
    @Test
    void threadWhoseLeaseIsLostGetsItOnceMoreBeforeOthers() throws Exception {
        lock.lock();
        steal();
        rival.release("job");
        Thread waiting = new Thread(() -> {
            lock.lock();
            lock.unlock();
        });
        waiting.start();
        Awaitility.await().until(() -> Locking.isWaiting(waiting));

        manager.acquire(LockRequest.of("job").reentrant(true)).close();

        assertThatExceptionOfType(ConcurrentModificationException.class).isThrownBy(lock::unlock);
        waiting.join(Locking.TIMEOUT.toMillis());
        assertThat(waiting.isAlive()).isFalse();
    }

    @Test
    void tasksRunUnderTheLock() throws Exception {
        assertThat(registry.<Long, RuntimeException>executeLocked(
                        "job", () -> manager.held().count()))
                .isOne();
        assertThat(registry.<Long, RuntimeException>executeLocked(
                        "job", Duration.ofSeconds(1), () -> manager.held().count()))
                .isOne();
        registry.executeLocked("job", () -> assertThat(manager.held()).hasSize(1));
        registry.executeLocked(
                "job", Duration.ofSeconds(1), () -> assertThat(manager.held()).hasSize(1));
        assertThat(manager.held()).isEmpty();
    }

    @Test
    void taskDoesNotRunWhileTheLockIsBusy() {
        rival.hold("job");

        assertThatExceptionOfType(TimeoutException.class)
                .isThrownBy(() -> registry.executeLocked("job", Duration.ofMillis(5), () -> {
                    throw new AssertionError();
                }))
                .withMessage("Lock 'job' was busy for 5ms");
    }

    @Test
    void callerOfTaskUnderLostLockGetsNoResult() {
        assertThatExceptionOfType(ConcurrentModificationException.class)
                .isThrownBy(() -> registry.executeLocked("job", this::steal));
    }

    @Test
    void failureOfTaskUnderLostLockIsSuppressed() {
        IOException failure = new IOException("task");

        Throwable thrown = catchThrowable(() -> registry.executeLocked("job", () -> {
            steal();
            throw failure;
        }));

        assertThat(thrown).isInstanceOf(ConcurrentModificationException.class).hasSuppressedException(failure);
    }

    @Test
    void errorOfTaskUnderLostLockIsThrown() {
        Error error = new Error("task");

        Throwable thrown = catchThrowable(() -> registry.executeLocked("job", () -> {
            steal();
            throw error;
        }));

        assertThat(thrown).isSameAs(error);
        assertThat(error.getSuppressed()).hasOnlyElementsOfType(ConcurrentModificationException.class);
    }

    @Test
    void failedReleaseDoesNotHideTheOutcomeOfTheTask() throws Exception {
        IOException failure = new IOException("task");

        String result = registry.<String, RuntimeException>executeLocked("job", () -> {
            store.fail();
            return "done";
        });
        store.heal();
        Throwable thrown = catchThrowable(() -> registry.executeLocked("other", () -> {
            store.fail();
            throw failure;
        }));

        assertThat(result).isEqualTo("done");
        assertThat(thrown).isSameAs(failure);
        assertThat(failure.getSuppressed()).hasSize(1);
    }
}
