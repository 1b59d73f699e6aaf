/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Undo of unanswered acquires. */
class UndoTests {

    private final Node node = Node.alone();

    private void failInOutage(int times, Duration lease) {
        node.store.always(Fault.LOSE_REQUEST);
        failToAcquire(times, lease);
    }

    private void failToAcquire(int times, Duration lease) {
        for (int i = 0; i < times; i++) {
            LockRequest request = LockRequest.of("job-" + i).leaseDuration(lease);
            assertThatThrownBy(() -> node.locks.tryAcquire(request)).isInstanceOf(LockStoreException.class);
        }
    }

    private CompletableFuture<Optional<Lease>> waitRarelyPolling() {
        Duration rarely = Duration.ofSeconds(20);
        return node.locks.tryAcquireAsync(LockRequest.of("job-0")
                .waitTime(Duration.ofMinutes(1))
                .pollMin(rarely)
                .pollMax(rarely));
    }

    @Test
    void sendsNothingForEndedLease() {
        failInOutage(100, Duration.ofSeconds(2));
        node.pass(Duration.ofSeconds(6));
        node.store.heal();

        node.store.forget();
        node.pass(Duration.ofMinutes(1));

        assertThat(node.store.operations()).isEmpty();
        assertThat(node.scheduler.scheduled()).isZero();
    }

    @Test
    void endsWithLeaseThatEndsDuringItsFirstRequest() {
        failInOutage(1, Duration.ofSeconds(2));
        node.store.heal();
        node.store.forget();
        node.store.next(Fault.slow(node.time, Duration.ofSeconds(6)));

        node.pass(Duration.ofSeconds(1));

        assertThat(node.store.operations()).containsExactly(Operation.RELEASE);
    }

    @Test
    void pausedProcessSendsNothingForEndedLease() {
        failInOutage(100, Duration.ofSeconds(2));
        node.store.heal();

        node.store.forget();
        node.scheduler.freeze(Duration.ofSeconds(6));
        node.pass(Duration.ofMinutes(1));

        assertThat(node.store.operations()).isEmpty();
    }

    /** Observers wait for the whole lease from the write of the row, not from the request. */
    @Test
    void lateLeaseObservedByOthersIsUndone() {
        Node observer = Node.alone(Node.settings(Duration.ofSeconds(8), LeaseTime.OBSERVED));
        observer.store.next(
                Fault.slow(observer.time, Duration.ofSeconds(5)).andThen(() -> {
                    throw new LockStoreException("job", "no response", null, true, true);
                }),
                Fault.slow(observer.time, Duration.ofSeconds(6)));

        assertThatThrownBy(() -> observer.locks.tryAcquire("job")).isInstanceOf(LockStoreException.class);

        assertThat(observer.row("job").isFree()).isTrue();
    }

    @Test
    void leaseIsUndoneDuringItsLockDelay() {
        Node delaying = Node.alone(Node.settingsWith(with -> with.leaseDuration(Duration.ofSeconds(2))
                .lockDelay(Duration.ofMinutes(1))
                .time(LeaseTime.SYSTEM)));
        delaying.store.always(Fault.LOSE_REQUEST);
        delaying.store.next(Fault.LOSE_RESPONSE);
        assertThatThrownBy(() -> delaying.locks.tryAcquire("job")).isInstanceOf(LockStoreException.class);

        delaying.pass(Duration.ofSeconds(20));
        boolean early = delaying.row("job").isFree();
        delaying.store.heal();
        delaying.pass(Duration.ofSeconds(10));

        assertThat(early).isFalse();
        assertThat(delaying.row("job").isFree()).isTrue();
    }

    @Test
    void undosAfterOutageArePacedAndCompleted() {
        failInOutage(500, Duration.ofSeconds(30));
        node.pass(Duration.ofSeconds(1));
        node.store.heal();

        List<Integer> perSecond = new ArrayList<>();
        for (int second = 0; second < 25; second++) {
            node.store.forget();
            node.pass(Duration.ofSeconds(1));
            perSecond.add(node.store.operations().size());
        }

        assertThat(perSecond).allMatch(requests -> requests <= 220);
        assertThat(perSecond.stream().mapToInt(Integer::intValue).sum()).isEqualTo(1_000); // a release and a floor each
    }

    @Test
    void newestIsUndoneFirst() {
        failInOutage(50, Duration.ofSeconds(30));
        node.store.heal();
        node.store.forget();

        node.pass(Duration.ofMillis(20));

        assertThat(node.store.sent())
                .filteredOn(sent -> sent.operation() == Operation.RELEASE)
                .first()
                .extracting(sent -> ((LockWrite.Release) sent.write()).name())
                .isEqualTo("job-49");
    }

    @Test
    void eachIsAttemptedBeforeFailedOnesAreRepeated() {
        failInOutage(300, Duration.ofMinutes(1));

        node.pass(Duration.ofSeconds(4));

        assertThat(node.store.sent())
                .filteredOn(sent -> sent.operation() == Operation.RELEASE)
                .extracting(sent -> ((LockWrite.Release) sent.write()).name())
                .satisfies(names -> assertThat(new HashSet<>(names)).hasSize(300));
    }

    /** The other threads belong to releases and asynchronous acquires. */
    @Test
    void usesAtMostHalfTheThreads() {
        failInOutage(50, Duration.ofSeconds(30));
        node.scheduler.keepWorkWaiting();

        node.pass(Duration.ofSeconds(5));

        assertThat(node.scheduler.workWaiting()).isBetween(1, node.scheduler.limit() / 2);
    }

    @Test
    void closeDoesNotWaitForRetries() {
        failInOutage(1, Duration.ofHours(1));
        node.pass(Duration.ofMinutes(1)); // from now on it is retried every few seconds
        node.store.heal();
        node.store.forget();
        long began = node.time.nanos();

        node.locks.close();

        assertThat(node.store.operations()).containsExactly(Operation.RELEASE, Operation.UNDO);
        assertThat(node.time.nanos() - began).isLessThan(100_000_000);
    }

    @Test
    void handsLockOverToLocalWaiter() {
        node.store.next(Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE, Fault.LOSE_REQUEST);
        failToAcquire(1, Duration.ofSeconds(30));
        CompletableFuture<Optional<Lease>> waiting =
                node.locks.tryAcquireAsync(LockRequest.of("job-0").waitTime(Duration.ofMinutes(1)));
        boolean early = waiting.isDone();
        node.store.forget();

        node.pass(Duration.ofMillis(200));

        assertThat(early).isFalse();
        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(node.store.operations()).endsWith(Operation.RELEASE, Operation.ACQUIRE);
    }

    /** The second attempt finds the lock free, as the first was applied. The waiter has tried just before. */
    @Test
    void undoWhoseResponseWasLostHandsLockOver() {
        List<LockRow> before = new ArrayList<>();
        Lease held = node.rival().take("job-0");
        CompletableFuture<Optional<Lease>> waiting = waitRarelyPolling();
        held.release();
        node.store.next(
                Fault.LOSE_RESPONSE,
                Fault.LOSE_RESPONSE,
                Fault.LOSE_RESPONSE,
                request -> {
                    before.add(node.row("job-0"));
                    return Fault.LOSE_RESPONSE.strike(request);
                },
                request -> new LockStore.Response(false, before.get(0), null));
        failToAcquire(1, Duration.ofSeconds(30));
        boolean early = waiting.isDone();

        node.pass(Duration.ofMillis(200));

        assertThat(early).isFalse();
        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    /** The row holds a lease of this process until its end, and the waiter saw another one. */
    @Test
    void waiterIsWokenAtEndOfLeaseThatCouldNotBeUndone() {
        Lease held = node.rival().take("job-0");
        CompletableFuture<Optional<Lease>> waiting = waitRarelyPolling();
        held.release();
        node.store.next(Fault.LOSE_RESPONSE, Fault.DENY);
        node.store.always(this::loseReleases);
        failToAcquire(1, Duration.ofSeconds(2));
        node.pass(Duration.ofMillis(1_900));
        boolean early = waiting.isDone();

        node.pass(Duration.ofSeconds(4));

        assertThat(early).isFalse();
        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    private LockStore.Response loseReleases(Supplier<LockStore.Response> request) {
        boolean release = node.store.operations().get(node.store.operations().size() - 1) == Operation.RELEASE;
        return release ? Fault.LOSE_REQUEST.strike(request) : request.get();
    }

    @Test
    void undoThatFindsLockOfAnotherWakesNobody() {
        node.rival().take("job-0");
        CompletableFuture<Optional<Lease>> waiting = waitRarelyPolling();
        node.store.next(Fault.LOSE_REQUEST, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST);
        failToAcquire(1, Duration.ofSeconds(30));
        node.store.forget();

        node.pass(Duration.ofMillis(200));

        assertThat(node.store.operations()).containsExactly(Operation.RELEASE, Operation.UNDO);
        assertThat(waiting).isNotDone();
    }

    /** An acquire during manager close must not be delayed by undos of others. */
    @Test
    void afterCloseCallerUndoesOnlyItsOwn() {
        failInOutage(50, Duration.ofSeconds(30));
        node.store.next(request -> {
            Thread.currentThread().interrupt(); // makes close() return immediately
            node.locks.close();
            boolean interrupted = Thread.interrupted();
            node.store.forget();
            throw new LockStoreException("late", "no response", null, interrupted, false);
        });

        failToAcquire(1, Duration.ofSeconds(30));

        assertThat(node.store.operations()).containsExactly(Operation.RELEASE);
    }

    @Test
    void duplicateBetweenItsTwoRequestsIsUndone() {
        node.store.next(Fault.LOSE_REQUEST, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST, Fault.then(this::deliverTheFirst));

        assertThatThrownBy(() -> node.locks.tryAcquire("job")).isInstanceOf(LockStoreException.class);
        node.pass(Duration.ofSeconds(1));

        assertThat(node.store.operations()).endsWith(Operation.RELEASE, Operation.UNDO, Operation.RELEASE);
        assertThat(node.row("job").isFree()).isTrue();
    }

    private void deliverTheFirst() {
        LockWrite.Acquire late = (LockWrite.Acquire) node.store.sent().get(0).write();
        var unused = node.store.rows().acquire(late, Duration.ofSeconds(1));
    }
}
