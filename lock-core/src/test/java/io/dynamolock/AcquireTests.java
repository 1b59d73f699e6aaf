/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class AcquireTests {

    private final Node node = Node.alone();
    private final Node rival = node.rival();

    @Test
    void acquiresFreeLockWithOneRequest() {
        Optional<Lease> lease = node.locks.tryAcquire("job");

        assertThat(lease).hasValueSatisfying(held -> {
            assertThat(held.isHeld()).isTrue();
            assertThat(held.name()).isEqualTo("job");
            assertThat(held.expiresAt()).isEqualTo(node.time.instant().plus(Times.heldFor(Duration.ofSeconds(30))));
            assertThat(held.remaining()).isEqualTo(Times.heldFor(Duration.ofSeconds(30)));
        });
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE);
    }

    @Test
    void busyLockCostsOneRequest() {
        node.take("job");

        Optional<Lease> second = rival.locks.tryAcquire("job");

        assertThat(second).isEmpty();
        assertThat(rival.store.operations()).containsExactly(Operation.ACQUIRE);
        assertThat(rival.events.all).containsExactly("busy job");
    }

    @Test
    void rejectedByAnotherLeaseOfSameManager() {
        node.take("job");

        assertThat(node.locks.tryAcquire("job")).isEmpty();
        assertThat(node.store.operations()).hasSize(2);
    }

    @Test
    void busyResultNamesHolderStartAndEnd() {
        Lease held = node.take("job");

        LockBusyException busy =
                catchThrowableOfType(LockBusyException.class, () -> rival.locks.acquire(LockRequest.of("job")));

        assertThat(busy.holder().owner()).isEqualTo("node");
        assertThat(busy.holder().leaseId()).isEqualTo(held.id());
        assertThat(busy.holder().fencingToken()).isEqualTo(held.fencingToken());
        assertThat(busy.holder().acquiredAt()).isEqualTo(held.acquiredAt());
        assertThat(busy.holder().expiresAt()).isEqualTo(held.expiresAt().plusMillis(515));
        assertThat(busy).hasMessageContaining("job").hasMessageContaining("node");
        assertThat(rival.store.operations()).containsExactly(Operation.ACQUIRE);
    }

    @Test
    void busyResultSaysThatLockIsKept() {
        node.take("job").release(Duration.ofMinutes(1));

        assertThatThrownBy(() -> rival.locks.acquire(LockRequest.of("job")))
                .hasMessage("Lock 'job' is kept until %s, although 'node' has released it"
                        .formatted(node.locks.inspect("job").expiresAt()));
    }

    @Test
    void recognizesOwnUnansweredAcquire() {
        node.store.next(Fault.LOSE_RESPONSE);

        Lease lease = node.take("job");

        assertThat(node.row("job").leaseId()).isEqualTo(lease.id());
        assertThat(node.row("job").fencingToken()).isEqualTo(lease.fencingToken());
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE, Operation.ACQUIRE);
        assertThat(node.store.sent().get(1)).isEqualTo(node.store.sent().get(0));
    }

    @Test
    void unansweredAcquireIsReportedUnknownAndUndone() {
        node.store.next(Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE);

        LockStoreException failure = catchThrowableOfType(LockStoreException.class, () -> node.locks.tryAcquire("job"));

        assertThat(failure.isOutcomeUnknown()).isTrue();
        assertThat(node.row("job").isFree()).isTrue();
        assertThat(rival.locks.tryAcquire("job")).isPresent();
        assertThat(node.events.all).containsExactly("failed job");
    }

    @Test
    void outcomeStaysUnknownAfterALaterAttemptIsRejected() {
        node.store.next(Fault.LOSE_RESPONSE, Fault.DENY);

        LockStoreException failure = catchThrowableOfType(LockStoreException.class, () -> node.locks.tryAcquire("job"));

        assertThat(failure.isOutcomeUnknown()).isTrue();
        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void undoConsumesTokenOfRequestThatNeverArrived() {
        node.store.next(Fault.LOSE_REQUEST, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST);

        assertThatThrownBy(() -> node.locks.tryAcquire("job")).isInstanceOf(LockStoreException.class);

        LockWrite.Acquire late = (LockWrite.Acquire) node.store.sent().get(0).write();
        assertThat(node.row("job").tokenFloor()).isEqualTo(late.token());
        assertThat(node.store.rows().acquire(late, Duration.ofSeconds(1)).applied())
                .isFalse();
    }

    @Test
    void unansweredAcquireThatEndsBusyIsUndone() {
        node.store.next(Fault.LOSE_REQUEST, Fault.first(() -> rival.locks.tryAcquire("job")));

        Optional<Lease> lease = node.locks.tryAcquire("job");

        assertThat(lease).isEmpty();
        LockWrite.Acquire late = (LockWrite.Acquire) node.store.sent().get(0).write();
        assertThat(node.row("job").tokenFloor()).isGreaterThanOrEqualTo(late.token());
    }

    @Test
    void undoIsRetriedUntilAnswered() {
        node.store.next(Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE);
        node.store.always(Fault.LOSE_REQUEST);
        assertThatThrownBy(() -> node.locks.tryAcquire("job")).isInstanceOf(LockStoreException.class);
        assertThat(node.row("job").isFree()).isFalse();

        node.store.heal();
        node.pass(Duration.ofSeconds(1));

        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void duplicateAcquireAfterReleaseHasNoEffect() {
        Lease lease = node.take("job");
        LockWrite.Acquire copy = (LockWrite.Acquire) node.store.sent().get(0).write();
        lease.release();

        assertThat(node.store.rows().acquire(copy, Duration.ofSeconds(1)).applied())
                .isFalse();

        rival.take("job").release();
        assertThat(node.store.rows().acquire(copy, Duration.ofSeconds(1)).applied())
                .isFalse();
        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void acquireAnsweredAfterItsEndIsNotHeld() {
        node.store.next(Fault.slow(node.time, Duration.ofSeconds(31)));

        assertThatThrownBy(() -> node.locks.tryAcquire("job"))
                .isInstanceOf(LockStoreException.class)
                .hasMessageContaining("ended already");

        assertThat(node.locks.held()).isEmpty();
        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void failureIsReportedNeitherAsBusyNorAsSuccess() {
        for (Fault fault : new Fault[] {Fault.THROTTLE, Fault.DENY, Fault.LOSE_REQUEST, Fault.BUG, Fault.ERROR}) {
            node.store.always(fault);

            assertThatThrownBy(() -> node.locks.tryAcquire("job"))
                    .isInstanceOf(LockStoreException.class)
                    .satisfies(thrown ->
                            assertThat(((LockStoreException) thrown).lockName()).isNotEmpty());
        }
        assertThat(node.events.all).hasSize(5).containsOnly("failed job");
    }

    @Test
    void retriesTransientFailuresOnly() {
        node.store.next(Fault.THROTTLE, Fault.THROTTLE);
        assertThat(node.locks.tryAcquire("passes")).isPresent();
        assertThat(node.store.operations()).hasSize(3);

        node.store.forget();
        node.store.next(Fault.DENY);
        assertThatThrownBy(() -> node.locks.tryAcquire("stays")).isInstanceOf(LockStoreException.class);
        assertThat(node.store.operations()).hasSize(1);
    }

    @Test
    void takesOverOnlyAfterLeaseEndWithHigherToken() throws InterruptedException {
        Lease first = node.locks.acquire(LockRequest.of("job").autoRenew(false));
        node.scheduler.freeze(Duration.ofSeconds(31));

        Optional<Lease> early = rival.locks.tryAcquire("job");
        node.scheduler.freeze(Duration.ofMillis(1));
        rival.store.forget();
        Optional<Lease> taken = rival.locks.tryAcquire("job");

        assertThat(early).isEmpty();
        assertThat(first.isHeld()).isFalse();
        assertThat(taken)
                .hasValueSatisfying(lease -> assertThat(lease.fencingToken()).isGreaterThan(first.fencingToken()));
        assertThat(rival.store.operations()).containsExactly(Operation.ACQUIRE);
    }

    @Test
    void firstRequestHasLongerTimeout() throws InterruptedException {
        LockRequest brief = LockRequest.of("job").leaseDuration(Duration.ofSeconds(2));

        node.locks.acquire(brief).release();
        node.locks.acquire(brief).release();

        assertThat(node.store.timeouts().get(0)).isEqualTo(Duration.ofSeconds(5));
        assertThat(node.store.timeouts().get(2)).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void acquireAnsweredTooLateIsReplacedImmediately() throws InterruptedException {
        node.store.next(Fault.slow(node.time, Duration.ofSeconds(4)));

        Lease lease = node.locks.acquire(LockRequest.of("job").leaseDuration(Duration.ofSeconds(3)));

        assertThat(lease.isHeld()).isTrue();
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE, Operation.ACQUIRE);
        assertThat(node.row("job").leaseId()).isEqualTo(lease.id());
    }

    @Test
    void acquireAnsweredTooLateIsReplacedBeforeAnyWaiter() {
        LockRequest patient =
                LockRequest.of("job").leaseDuration(Duration.ofSeconds(3)).waitTime(Duration.ofMinutes(1));
        List<CompletableFuture<Optional<Lease>>> behind = new ArrayList<>();
        node.store.next(Fault.then(() -> {
            behind.add(node.locks.tryAcquireAsync(patient));
            assertThat(node.context.waitQueues.hasWaiters("job")).isTrue();
            node.time.pass(Duration.ofSeconds(4));
        }));

        CompletableFuture<Optional<Lease>> late = CompletableFuture.supplyAsync(() -> tryAcquire(patient));

        assertThat(late)
                .succeedsWithin(TestRun.TIMEOUT)
                .matches(lease -> lease.orElseThrow().isHeld());
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE, Operation.ACQUIRE);
        assertThat(behind)
                .singleElement()
                .satisfies(waiting -> assertThat(waiting).isNotDone());
        assertThat(node.events.waiting).hasSize(1);
    }

    private Optional<Lease> tryAcquire(LockRequest request) {
        try {
            return node.locks.tryAcquire(request);
        } catch (InterruptedException interrupt) {
            throw new AssertionError(interrupt);
        }
    }

    @Test
    void acquireAnsweredTooLateYieldsToRival() throws InterruptedException {
        node.store.next(Fault.slow(node.time, Duration.ofSeconds(9)).andThen(() -> rival.take("job")));
        LockRequest request = LockRequest.of("job").leaseDuration(Duration.ofSeconds(3));

        assertThatThrownBy(() -> node.locks.acquire(request))
                .isInstanceOfSatisfying(
                        LockBusyException.class,
                        busy -> assertThat(busy.holder().owner()).isEqualTo("rival"));
    }

    @Test
    void busyResultUsesLockNameGivenByCaller() {
        Node prefixed = prefixed();
        prefixed.take("job");

        LockBusyException busy = catchThrowableOfType(LockBusyException.class, () -> prefixed.locks.acquire("job"));

        assertThat(busy.lockName()).isEqualTo("job");
        assertThat(busy.holder().name()).isEqualTo("job");
        assertThat(busy)
                .hasMessageMatching("Lock 'job' is held by this process \\('node'\\) .* only if both .*reentrant");
    }

    private static Node prefixed() {
        return Node.alone(Node.settingsWith(
                builder -> builder.time(LeaseTime.SYSTEM).namePrefix("app1/").shutdownGrace(Duration.ZERO)));
    }

    @Test
    void failureUsesLockNameGivenByCaller() {
        Node prefixed = prefixed();
        prefixed.store.always(Fault.DENY);

        assertThatThrownBy(() -> prefixed.locks.tryAcquire("job"))
                .isInstanceOfSatisfying(
                        LockStoreException.class,
                        failure -> assertThat(failure.lockName()).isEqualTo("job"));
    }

    @Test
    void initialRequestConcurrencyIsLow() {
        assertThat(node.scheduler.limit()).isEqualTo(8);
    }

    @Test
    @Timeout(120)
    void interruptedAttemptIsRetriedImmediatelyOnAnyMonotonicClock() {
        FaultyStore store = new FaultyStore(new InMemoryLockStore()).next(Fault.INTERRUPT);
        long far = Long.MAX_VALUE / 2;
        try (LockManager locks = LockManager.builder(store)
                .time(LeaseTime.SYSTEM)
                .nanoTime(() -> System.nanoTime() - far)
                .build()) {

            Optional<Lease> lease = locks.tryAcquire("job");

            assertThat(Thread.interrupted()).isTrue();
            assertThat(lease).isPresent();
            lease.get().release();
        }
    }

    @Test
    void rejectsInvalidNames() {
        assertThatIllegalArgumentException().isThrownBy(() -> node.locks.tryAcquire(""));
        assertThatIllegalArgumentException().isThrownBy(() -> node.locks.tryAcquire("ü".repeat(1025)));
        assertThat(node.store.operations()).isEmpty();
    }

    @Test
    void closedManagerSendsNothing() {
        node.locks.close();

        assertThatIllegalStateException().isThrownBy(() -> node.locks.tryAcquire("job"));
        assertThatIllegalStateException().isThrownBy(() -> node.locks.acquire(LockRequest.of("job")));
        assertThat(node.locks.tryAcquireAsync(LockRequest.of("job")))
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(LockManagerClosedException.class);
        assertThatIllegalStateException().isThrownBy(() -> node.locks.inspect("job"));
        assertThatIllegalStateException().isThrownBy(() -> node.locks.revoke("job", "id"));
        assertThatIllegalStateException().isThrownBy(() -> node.locks.forceRelease("job", "id"));
        assertThat(node.store.operations()).isEmpty();
    }

    @Test
    void acquiresOnInterruptedThreadAndKeepsItsFlag() {
        Thread.currentThread().interrupt();

        Optional<Lease> lease = node.locks.tryAcquire("job");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(lease).isPresent();
    }

    @Test
    @Timeout(120)
    void interruptWorksWithNegativeMonotonicClock() {
        try (LockManager locks = LockManager.builder(new InMemoryLockStore())
                .nanoTime(() -> System.nanoTime() - (1L << 61))
                .waitTime(Duration.ofMinutes(1))
                .build()) {
            Thread.currentThread().interrupt();

            Optional<Lease> lease = locks.tryAcquire("job");

            assertThat(Thread.interrupted()).isTrue();
            assertThat(lease).isPresent();
            lease.get().close();
        }
    }

    @Test
    void eachCallMaySetLeaseOwnerAndMetadata() throws InterruptedException {
        LockRequest request = LockRequest.of("job")
                .leaseDuration(Duration.ofSeconds(5))
                .owner("me")
                .metadata(Map.of("build", "42"));

        Lease lease = node.locks.acquire(request);

        assertThat(lease.owner()).isEqualTo("me");
        assertThat(lease.metadata()).containsEntry("build", "42");
        assertThat(lease.remaining()).isEqualTo(Times.heldFor(Duration.ofSeconds(5)));
        assertThat(node.row("job").metadata()).containsEntry("build", "42");
        assertThat(node.row("job").leaseDuration()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void clockBehindCostsOneRejectedRequestOnce() {
        rival.take("job").release();
        ManualTime behind = new ManualTime();
        behind.stepWall(Duration.ofMinutes(-1));
        Node late = node.rival(behind, Node.settings(Duration.ofSeconds(30)));

        Lease first = late.take("job");
        int requests = late.store.operations().size();
        first.release();
        late.store.forget();
        Lease second = late.take("job");

        assertThat(requests).isEqualTo(2);
        assertThat(second.fencingToken()).isGreaterThan(first.fencingToken());
        assertThat(late.store.operations()).containsExactly(Operation.ACQUIRE);
    }

    @Test
    void asynchronousAcquireBehavesTheSame() {
        CompletableFuture<Optional<Lease>> first = node.locks.tryAcquireAsync(LockRequest.of("job"));
        CompletableFuture<Optional<Lease>> second = rival.locks.tryAcquireAsync(LockRequest.of("job"));

        assertThat(first).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(second).isCompletedWithValueMatching(Optional::isEmpty);
    }

    @Test
    void raisedTokenFloorCostsOneRejectedRequest() {
        rival.take("job");
        assertThat(node.locks.tryAcquire("job")).isEmpty();
        node.scheduler.freeze(Duration.ofSeconds(32));
        long ahead = (node.time.millis() + 60_000) * 1024;
        node.store
                .rows()
                .raiseFloor(new LockWrite.RaiseFloor("job", "third", ahead, node.time.instant()), Duration.ZERO);
        node.store.forget();

        Lease lease = node.take("job");

        assertThat(lease.fencingToken()).isGreaterThan(ahead);
        assertThat(node.store.operations()).hasSize(2);
    }

    @Test
    void interruptDuringRequestDoesNotAbortNonWaitingAttempt() {
        node.store.next(Fault.INTERRUPT);

        Optional<Lease> lease = node.locks.tryAcquire("job");

        assertThat(Thread.interrupted()).isTrue();
        assertThat(lease).isPresent();
        assertThat(node.store.operations()).hasSize(2);
    }

    @Test
    void rowThatKeepsRejectingIsBusyAfterBoundedAttempts() {
        node.store.always(request -> new LockStore.Response(false, LockRow.ABSENT, null));

        assertThat(node.locks.tryAcquire("job")).isEmpty();

        assertThat(node.store.operations()).hasSizeLessThan(10);
    }

    @Test
    void acquireRejectedAfterUnansweredAttemptIsUndone() {
        Lease held = rival.take("job");
        node.time.pass(Duration.ofMillis(10)); // makes its token the higher one
        node.store.next(Fault.LOSE_REQUEST);

        assertThat(node.locks.tryAcquire("job")).isEmpty();

        LockWrite.Acquire late = (LockWrite.Acquire) node.store.sent().get(0).write();
        held.release();
        assertThat(node.store.rows().acquire(late, Duration.ofSeconds(1)).applied())
                .isFalse();
    }

    @Test
    void retriesExhaustedIsReportedOnlyAfterRetries() {
        node.store.next(Fault.DENY);
        assertThatThrownBy(() -> node.locks.tryAcquire("once")).isInstanceOf(LockStoreException.class);
        node.store.next(Fault.THROTTLE, Fault.THROTTLE, Fault.THROTTLE);
        assertThatThrownBy(() -> node.locks.tryAcquire("thrice")).isInstanceOf(LockStoreException.class);

        assertThat(node.events.retried).containsExactly("thrice", "thrice");
        assertThat(node.events.exhausted).containsExactly("thrice");
    }
}
