/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.dynamodb.CapturedLogs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Lock;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** A manager that grants every request. */
class UnlockedTests {

    private static final LockRequest JOB = LockRequest.of("job");

    private final LockManager locks = LockManager.unlocked();

    @Test
    void everyAcquisitionSucceedsWhileLockIsHeld() throws Exception {
        try (Lease held = locks.acquire(JOB)) {
            assertThat(locks.tryAcquire("job")).isPresent();
            assertThat(locks.tryAcquire(JOB)).isPresent();
            assertThat(locks.acquire("job", Duration.ofHours(1))).isNotNull();
            assertThat(locks.tryAcquireAsync(JOB)).isCompletedWithValueMatching(java.util.Optional::isPresent);
            assertThat(locks.acquireAsync(JOB)).isCompletedWithValueMatching(Lease::isHeld);
            assertThat(locks.tryRun(JOB, held::ensureHeld)).isTrue();
            assertThat(locks.tryCall("job", lease -> lease.id()).result()).isNotEqualTo(held.id());
            assertThat(locks.call("job", () -> "result")).isEqualTo("result");
        }
    }

    @Test
    void leaseSaysThatItHasNoLock() throws Exception {
        Lease lease = locks.acquire(JOB);

        assertThat(lease.state()).isEqualTo(LeaseState.UNLOCKED);
        assertThat(lease.fencingToken()).isZero();
        assertThat(lease).hasToString("Lease[job, token 0, UNLOCKED]");
        assertThat(locks).hasToString("LockManager[unlocked]");
    }

    @Test
    void leaseIsHeldUntilReleased() throws Exception {
        Lease lease = locks.acquire(JOB);

        lease.ensureHeld();
        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.verify()).isTrue();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.closeAsync().toCompletableFuture()).isCompleted();
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.verify()).isFalse();
        assertThat(lease.remaining()).isZero();
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThatIllegalStateException().isThrownBy(lease::ensureHeld);
        assertThatIllegalStateException().isThrownBy(lease::renew);
    }

    @Test
    void leaseHasValuesOfItsRequest() throws Exception {
        Duration duration = Duration.ofMinutes(5);

        Lease lease = locks.acquire(JOB.owner("me").metadata(Map.of("a", "b")).leaseDuration(duration));

        assertThat(lease.name()).isEqualTo("job");
        assertThat(lease.owner()).isEqualTo("me");
        assertThat(lease.metadata()).containsEntry("a", "b");
        assertThat(lease.remaining()).isEqualTo(duration);
        assertThat(lease.age()).isBetween(Duration.ZERO, duration);
        assertThat(lease.expiresAt()).isAfterOrEqualTo(lease.acquiredAt().plus(duration));
        assertThat(locks.acquire(JOB).owner()).isNotBlank();
    }

    @Test
    void renewalsSucceed() throws Exception {
        Lease lease = locks.acquire(JOB);

        Instant end = lease.renew(Duration.ofHours(1));

        assertThat(lease.remaining()).isEqualTo(Duration.ofHours(1));
        assertThat(lease.renew()).isAfterOrEqualTo(end);
    }

    @Test
    void detachedLeaseIsResumed() throws Exception {
        Lease lease = locks.acquire(JOB);
        LeaseToken token = LeaseToken.parse(lease.detach().asText());

        Lease resumed = locks.resume(token);
        lease.close();

        assertThat(lease.state()).isEqualTo(LeaseState.DETACHED);
        assertThatIllegalStateException().isThrownBy(lease::release);
        assertThat(resumed.name()).isEqualTo("job");
        assertThat(resumed.isHeld()).isTrue();
    }

    @Test
    void noLockIsEverHeld() throws Exception {
        Lease lease = locks.acquire(JOB);

        assertThat(locks.inspect("job").status()).isEqualTo(LockState.Status.FREE);
        assertThat(locks.held()).isEmpty();
        assertThat(locks.revoke("job", lease.id())).isFalse();
        assertThat(locks.forceRelease("job", lease.id())).isFalse();
        assertThat(locks.forceFree("job")).isEmpty();
        assertThat(locks.diagnostics()).isEmpty();
        assertThat(lease.isHeld()).isTrue();
    }

    private List<ThrowingCallable> administrationOf(String name) {
        return List.of(
                () -> locks.inspect(name),
                () -> locks.revoke(name, "id"),
                () -> locks.forceRelease(name, "id"),
                () -> locks.keep(name, "id", Duration.ZERO),
                () -> locks.forceFree(name));
    }

    @Test
    @SuppressWarnings("NullAway") // callers without null checks
    void administrationRejectsInvalidNamesAndNull() {
        assertThat(administrationOf(""))
                .allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(InvalidSettingException.class));
        assertThat(administrationOf("x".repeat(2_049)))
                .allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(InvalidSettingException.class));
        assertThatNullPointerException()
                .isThrownBy(() -> locks.revoke("job", null))
                .withMessage("leaseId");
        assertThatNullPointerException()
                .isThrownBy(() -> locks.forceRelease("job", null))
                .withMessage("leaseId");
        assertThatNullPointerException()
                .isThrownBy(() -> locks.keep("job", null, Duration.ZERO))
                .withMessage("leaseId");
        assertThatNullPointerException().isThrownBy(() -> locks.resume(null)).withMessage("token");
    }

    @Test
    void closedManagerAnswersNothing() {
        LeaseToken token = locks.tryAcquire("job").orElseThrow().detach();
        locks.close();

        assertThat(administrationOf("job"))
                .allSatisfy(call -> assertThatThrownBy(call).isInstanceOf(LockManagerClosedException.class));
        assertThatThrownBy(() -> locks.resume(token)).isInstanceOf(LockManagerClosedException.class);
    }

    @Test
    void nothingIsEverLost() throws Exception {
        Lease lease = locks.acquire(JOB);
        lease.onLost(loss -> {
            throw new AssertionError(loss);
        });
        lease.onAtRisk(risky -> {
            throw new AssertionError(risky);
        });

        lease.close();

        assertThat((Object) lease.lost()).isSameAs(lease.lost());
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
    }

    @Test
    void drainingAndClosingStopNewWork() throws Exception {
        Lease lease = locks.acquire(JOB);

        locks.startDraining();
        assertThatThrownBy(() -> locks.acquire(JOB)).isInstanceOf(LockManagerDrainingException.class);
        locks.stopDraining();
        assertThat(locks.acquire(JOB).isHeld()).isTrue();
        locks.close();
        assertThatThrownBy(() -> locks.acquire(JOB)).isInstanceOf(LockManagerClosedException.class);
        for (CompletableFuture<?> future : List.of(locks.acquireAsync(JOB), locks.tryAcquireAsync(JOB))) {
            assertThat(future.handle((ignored, failure) -> failure))
                    .isCompletedWithValueMatching(LockManagerClosedException.class::isInstance);
        }
        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    @SuppressWarnings("LockNotBeforeTry")
    void threadAcquiresAgainWhatItHoldsWhileDrainingAndClosed() throws Exception {
        LockRequest again = JOB.reentrant(true);
        Lease outer = locks.acquire(again);
        Lock lock = locks.asLock("job");
        locks.startDraining();
        lock.lock();
        locks.close();

        outer.close();
        lock.lock();
        lock.unlock();
        assertThat(locks.tryAcquire(again)).isPresent().get().satisfies(Lease::close);
        assertThatThrownBy(() -> locks.acquire(JOB)).isInstanceOf(LockManagerClosedException.class);
        assertThat(locks.acquireAsync(again)).isCompletedExceptionally();
        assertThatThrownBy(() -> locks.acquire(again.names(List.of("job", "another"))))
                .isInstanceOf(LockManagerClosedException.class);
        lock.unlock();
        assertThatThrownBy(lock::lock).isInstanceOf(LockManagerClosedException.class);
    }

    @Test
    void otherThreadsAcquireNothingWhileDraining() throws Exception {
        Lease outer = locks.acquire(JOB.reentrant(true));
        Lease detached = locks.acquire(LockRequest.of("detached").reentrant(true));
        locks.startDraining();
        LeaseToken unused = detached.detach();

        assertThat(CompletableFuture.runAsync(() -> locks.asLock("job").lock()))
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withCauseInstanceOf(LockManagerDrainingException.class);
        assertThatThrownBy(() -> locks.asLock("detached").lock()).isInstanceOf(LockManagerDrainingException.class);
        assertThat(outer.isHeld()).isTrue();
    }

    @Test
    void logsOneWarning() {
        try (CapturedLogs logs = new CapturedLogs()) {
            LockManager other = LockManager.unlocked();
            var unused = other.tryAcquire("job");
            assertThat(logs.warnings()).singleElement().asString().contains("without locks");
        }
    }
}
