/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.shedlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.awaitility.Awaitility.await;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerDrainingException;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState.Status;
import io.dynamolock.LockStoreException;
import io.dynamolock.OnLost;
import io.dynamolock.spring.AdapterFixture;
import io.dynamolock.spring.LogCapture;
import io.dynamolock.test.Rival;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.ClockProvider;
import net.javacrumbs.shedlock.core.LockConfiguration;
import net.javacrumbs.shedlock.core.LockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.support.LockException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;

/** What ShedLock's own suites leave open: times to the second, losses and failures. */
@ExtendWith(LogCapture.class)
class LeaseLockProviderTests extends AdapterFixture {

    private final LeaseLockProvider provider = new LeaseLockProvider(manager);

    private static LockConfiguration configuration(long atMostSeconds, long atLeastSeconds) {
        return new LockConfiguration(
                ClockProvider.now(), "job", Duration.ofSeconds(atMostSeconds), Duration.ofSeconds(atLeastSeconds));
    }

    private SimpleLock lock(long atMostSeconds, long atLeastSeconds) {
        return provider.lock(configuration(atMostSeconds, atLeastSeconds)).orElseThrow();
    }

    private static SimpleLock extended(SimpleLock lock, long atMostSeconds, long atLeastSeconds) {
        return lock.extend(Duration.ofSeconds(atMostSeconds), Duration.ofSeconds(atLeastSeconds))
                .orElseThrow();
    }

    private boolean isFree() {
        return manager.inspect("job").status() != Status.HELD;
    }

    @Test
    void lockExtendAndUnlockAreOneWriteEach() {
        extended(lock(10, 0), 10, 0).unlock();

        assertThat(store.acquisitions()).isOne();
        assertThat(store.renewals()).isOne();
        assertThat(store.releases()).isOne();
        assertThat(store.reads()).isZero();
    }

    @Test
    @SuppressWarnings("NullAway") // callers without null checks
    void nullIsRejectedByName() {
        assertThatNullPointerException().isThrownBy(() -> provider.lock(null)).withMessage("configuration");
    }

    @Test
    void messageNamesTheTimeOfShedLock() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock(400L * 24 * 60 * 60, 0))
                .withMessage("lockAtMostFor of lock 'job' must be between 1 ms and 365 days, but is 400d");
    }

    @Test
    void messageNamesTheTimeThatIsTooLongForTheManager() {
        try (LockManager limited = LockManager.builder(store)
                .testClock(clock)
                .maxLeaseDuration(Duration.ofSeconds(60))
                .build()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> new LeaseLockProvider(limited).lock(configuration(90, 0)))
                    .withMessage("lockAtMostFor of lock 'job' must not exceed maxLeaseDuration (1m), but is 90s");
        }
    }

    @Test
    void messageForAnInvalidNameIsThatOfTheManager() {
        LockConfiguration blank =
                new LockConfiguration(ClockProvider.now(), " ", Duration.ofSeconds(10), Duration.ZERO);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> provider.lock(blank))
                .withMessage("A lock name must not be blank, but is ' '");
    }

    @Test
    void messageOfAnExtensionNamesTheTimeOfShedLock() {
        SimpleLock lock = lock(10, 0);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> lock.extend(Duration.ZERO, Duration.ZERO))
                .withMessage("lockAtMostFor of lock 'job' must be between 1 ms and 365 days, but is 0s");
        extended(lock, 20, 0).unlock();
    }

    @Test
    void lockEndsAfterLockAtMostFor(CapturedOutput output) {
        SimpleLock lock = lock(60, 0);
        clock.advance(Duration.ofSeconds(50));
        assertThat(isFree()).isFalse();

        clock.advance(Duration.ofSeconds(13));

        assertThat(isFree()).isTrue();
        assertThat(store.renewals()).isZero();
        lock.unlock();
        assertThat(output).contains("Lock 'job' ended before its task");
    }

    @Test
    void lockStaysTakenForLockAtLeastFor() {
        SimpleLock lock = lock(60, 20);
        clock.advance(Duration.ofSeconds(5));
        lock.unlock();

        clock.advance(Duration.ofSeconds(14));
        assertThat(provider.lock(configuration(60, 0))).isEmpty();
        clock.advance(Duration.ofSeconds(3));
        assertThat(provider.lock(configuration(60, 0))).isPresent();
    }

    @Test
    void lockIsFreeAtOnceAfterLockAtLeastFor() {
        SimpleLock lock = lock(60, 20);
        clock.advance(Duration.ofSeconds(21));

        lock.unlock();

        assertThat(provider.lock(configuration(60, 0))).isPresent();
    }

    @Test
    void timesOfAnExtensionReplaceThoseOfTheLock() {
        SimpleLock lock = lock(60, 50);
        clock.advance(Duration.ofSeconds(30));
        SimpleLock first = extended(lock, 60, 20);
        clock.advance(Duration.ofSeconds(40));
        assertThat(isFree()).isFalse();
        SimpleLock second = extended(first, 30, 10);

        second.unlock();

        clock.advance(Duration.ofSeconds(9));
        assertThat(isFree()).isFalse();
        clock.advance(Duration.ofSeconds(3));
        assertThat(isFree()).isTrue();
    }

    @Test
    void extensionLastsForItsOwnLockAtMostFor() {
        SimpleLock lock = extended(lock(20, 0), 60, 0);

        clock.advance(Duration.ofSeconds(50));
        assertThat(isFree()).isFalse();
        clock.advance(Duration.ofSeconds(13));
        assertThat(isFree()).isTrue();
        lock.unlock();
    }

    @Test
    void extensionCanShortenLockAtLeastFor() {
        SimpleLock lock = extended(lock(60, 50), 60, 0);

        lock.unlock();

        assertThat(isFree()).isTrue();
    }

    @Test
    void keepAliveRenewsUntilUnlock() {
        SimpleLock lock = provider.keepAlive().lock(configuration(10, 0)).orElseThrow();

        clock.advance(Duration.ofMinutes(10));

        assertThat(isFree()).isFalse();
        lock.unlock();
        assertThat(isFree()).isTrue();
    }

    @Test
    void plannedEndOfALockDoesNotEndTheApplication() {
        AtomicInteger exits = new AtomicInteger();
        try (LockManager exiting = LockManager.builder(store)
                .testClock(clock)
                .onLost(OnLost.SHUTDOWN)
                .shutdownAction(loss -> exits.incrementAndGet())
                .shutdownGrace(Duration.ZERO)
                .build()) {
            LockProvider ending = new LeaseLockProvider(exiting);
            LockProvider kept = new LeaseLockProvider(exiting).keepAlive();

            assertThat(ending.lock(configuration(60, 0))).isPresent();
            clock.advance(Duration.ofSeconds(63));

            assertThat(exits).hasValue(0);
            assertThat(kept.lock(configuration(60, 0))).isPresent();
            rival.steal("job");
            clock.advance(Duration.ofSeconds(63));
            await().untilAsserted(() -> assertThat(exits).hasValue(1));
        }
    }

    @Test
    void lateUnlockLeavesTheNextHolderAlone() {
        SimpleLock lock = lock(60, 10);
        rival.steal("job");

        lock.unlock();

        assertThat(manager.inspect("job").owner()).isEqualTo(Rival.OWNER);
    }

    @Test
    void lostLockCannotBeExtended() {
        SimpleLock lock = lock(60, 0);
        rival.steal("job");

        assertThat(lock.extend(Duration.ofSeconds(60), Duration.ZERO)).isEmpty();

        assertThatIllegalStateException().isThrownBy(lock::unlock);
        assertThat(manager.inspect("job").owner()).isEqualTo(Rival.OWNER);
        assertThat(manager.held()).isEmpty();
    }

    @Test
    void busyLockIsNoFailureAndFailureIsNotBusy() {
        rival.hold("job");
        assertThat(provider.lock(configuration(60, 0))).isEmpty();

        store.fail();

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> provider.lock(configuration(60, 0)))
                .withCauseInstanceOf(LockStoreException.class);
    }

    @Test
    void lockThatThisThreadHoldsOtherwiseIsError() throws InterruptedException {
        manager.acquire(LockRequest.of("job").reentrant(true));

        assertThatIllegalStateException()
                .isThrownBy(() -> provider.lock(configuration(60, 0)))
                .withMessage("Lock 'job' is held by this thread already, through @DistributedLock or LockManager:"
                        + " remove one of the two annotations, or the task with @SchedulerLock does not run here");
        assertThat(onAnotherThread()).isEmpty();

        rival.steal("job");
        clock.advance(Duration.ofSeconds(30));
        assertThat(provider.lock(configuration(60, 0))).isEmpty();
    }

    private Optional<SimpleLock> onAnotherThread() {
        return CompletableFuture.supplyAsync(() -> provider.lock(configuration(60, 0)))
                .join();
    }

    @Test
    void failedUnlockAndExtensionCanBeRepeated() {
        SimpleLock lock = lock(60, 0);
        store.fail();
        assertThatExceptionOfType(LockException.class).isThrownBy(lock::unlock);
        store.heal();
        lock.unlock();
        assertThat(isFree()).isTrue();

        SimpleLock next = lock(60, 0);
        store.fail();
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> next.extend(Duration.ofSeconds(60), Duration.ZERO))
                .withMessage("Lock 'job' could not be extended");
        store.heal();
        extended(next, 60, 0).unlock();
    }

    /** An extension that finds the lock lost frees its row, so that this request can fail, too. */
    @Test
    void failingCleanUpOfALostLockIsTranslated() throws InterruptedException {
        Lease lost = manager.acquire(LockRequest.of("job").autoRenew(false));
        clock.advance(Duration.ofMinutes(1));
        Lease failing = (Lease) Proxy.newProxyInstance(
                Lease.class.getClassLoader(), new Class<?>[] {Lease.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("release")) {
                        throw new LockStoreException("job", "on purpose", null, true, false);
                    }
                    try {
                        return method.invoke(lost, arguments);
                    } catch (InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
        SimpleLock lock = new LeaseSimpleLock(configuration(60, 0), failing, 0, () -> 0);

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> lock.extend(Duration.ofSeconds(60), Duration.ZERO))
                .withMessage("Lock 'job' could not be extended")
                .withCauseInstanceOf(LockStoreException.class);
    }

    @Test
    void lostLockCannotBeExtendedWhileStoreFails() {
        SimpleLock lock = lock(60, 0);
        clock.advance(Duration.ofMinutes(2));
        store.fail();

        assertThat(lock.extend(Duration.ofSeconds(60), Duration.ZERO)).isEmpty();
    }

    @Test
    void drainingManagerAcquiresNothingButExtendsAndUnlocks() {
        SimpleLock lock = lock(60, 0);
        manager.startDraining();

        assertThatExceptionOfType(LockManagerDrainingException.class)
                .isThrownBy(() -> provider.lock(configuration(60, 0)));
        extended(lock, 60, 0).unlock();

        assertThat(isFree()).isTrue();
    }

    @Test
    void hangingStoreIsReportedAfterItsTimeout() {
        SimpleLock lock = lock(60, 0);
        store.hang();

        assertThatExceptionOfType(LockException.class).isThrownBy(lock::unlock);

        store.heal();
        lock.unlock();
    }

    @Test
    void interruptedThreadUnlocks() {
        Thread.currentThread().interrupt();
        Optional<SimpleLock> lock = provider.lock(configuration(60, 0));
        lock.orElseThrow().unlock();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(isFree()).isTrue();
    }

    @Test
    void timeThatIsNoLeaseIsRejected() {
        assertThatExceptionOfType(InvalidSettingException.class).isThrownBy(() -> provider.lock(configuration(0, 0)));
    }
}
