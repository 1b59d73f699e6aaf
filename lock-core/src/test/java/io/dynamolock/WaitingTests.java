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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class WaitingTests {

    private final Node node = Node.alone();
    private final Node rival = node.rival();
    private final LockRequest minute = LockRequest.of("job").waitTime(Duration.ofMinutes(1));

    @Test
    void pollsByReadingAndWritesOncePerMinute() {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> waiting = node.locks.tryAcquireAsync(minute);

        passBoth(Duration.ofSeconds(59));

        assertThat(waiting).isNotDone();
        assertThat(held.isHeld()).isTrue();
        assertThat(node.store.operations().stream().filter(Operation.READ::equals))
                .hasSizeBetween(40, 80);
        assertThat(node.store.operations().stream().filter(Operation.ACQUIRE::equals))
                .hasSizeLessThanOrEqualTo(2);
        passBoth(Duration.ofSeconds(2));
        assertThat(waiting).isCompletedWithValue(Optional.empty());
        assertThat(node.events.all).containsExactly("busy job");
    }

    @Test
    void waiterIsServedSoonAfterRemoteRelease() {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> waiting = node.locks.tryAcquireAsync(minute);
        passBoth(Duration.ofMillis(400));

        held.release();
        passBoth(Duration.ofMillis(250));

        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void longWaitIsServedWithinMaximumPollDelay() {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> waiting = node.locks.tryAcquireAsync(minute);
        passBoth(Duration.ofSeconds(30));

        held.release();
        passBoth(Duration.ofMillis(1_200));

        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void requestWithLongIntervalsCostsFewReads() {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> waiting = node.locks.tryAcquireAsync(minute.pollMax(Duration.ofSeconds(15)));

        passBoth(Duration.ofSeconds(59));

        assertThat(held.isHeld()).isTrue();
        assertThat(waiting).isNotDone();
        assertThat(node.store.operations().stream().filter(Operation.READ::equals))
                .hasSizeBetween(12, 30);
    }

    @Test
    void requestWithShortIntervalsIsServedSoonAfterLongWait() {
        Lease held = rival.take("job");
        LockRequest often = minute.pollMin(Duration.ofMillis(10)).pollMax(Duration.ofMillis(50));
        CompletableFuture<Optional<Lease>> waiting = node.locks.tryAcquireAsync(often);
        passBoth(Duration.ofSeconds(30));

        held.release();
        passBoth(Duration.ofMillis(80));

        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void boundOfRequestMovesDefaultOfTheOther() {
        rival.take("job");
        rival.take("other");
        CompletableFuture<Optional<Lease>> rare = node.locks.tryAcquireAsync(minute.pollMin(Duration.ofSeconds(5)));
        CompletableFuture<Optional<Lease>> often =
                node.locks.tryAcquireAsync(minute.name("other").pollMax(Duration.ofMillis(10)));

        passBoth(Duration.ofSeconds(20));

        assertThat(List.of(rare, often)).noneMatch(CompletableFuture::isDone);

        assertThat(node.store.operations().stream().filter(Operation.READ::equals))
                .as("5 at intervals of 5 s, and 2,000 at intervals of 10 ms")
                .hasSizeBetween(1_500, 2_300);
    }

    @Test
    void hintMakesFirstWaiterTryImmediately() {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> first = node.locks.tryAcquireAsync(minute);
        passBoth(Duration.ofMillis(10));
        CompletableFuture<Optional<Lease>> second = node.locks.tryAcquireAsync(minute);
        passBoth(Duration.ofSeconds(30));
        int before = node.store.operations().size();
        node.locks.hint("job");
        passBoth(Duration.ZERO);
        assertThat(node.store.operations().subList(before, before + 1))
                .as("a wrong hint costs a write")
                .containsExactly(Operation.ACQUIRE);

        held.release();
        node.locks.hint("job");
        passBoth(Duration.ZERO);

        assertThat(first).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(second).isNotDone();
        assertThatThrownBy(() -> node.locks.hint(" ")).isInstanceOf(InvalidSettingException.class);
        node.locks.hint("nobody waits for this");
    }

    @Test
    void takesOverFromDeadHolderAfterObservingOneLease() {
        rival.take("job");
        CompletableFuture<Optional<Lease>> waiting = node.locks.tryAcquireAsync(minute);

        node.pass(Duration.ofSeconds(30));
        boolean early = waiting.isDone();
        node.pass(Duration.ofMillis(50));

        assertThat(early).isFalse();
        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(node.store.operations().stream().filter(Operation.ACQUIRE::equals))
                .hasSize(2);
    }

    @Test
    void lateWaiterTakesOverAfterCertainExpiry() {
        rival.take("job");
        node.scheduler.freeze(Duration.ofSeconds(20));
        CompletableFuture<Optional<Lease>> waiting = node.locks.tryAcquireAsync(minute);

        node.pass(Duration.ofSeconds(11));
        boolean early = waiting.isDone();
        node.pass(Duration.ofMillis(50));

        assertThat(early).isFalse();
        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(node.store.operations().stream().filter(Operation.ACQUIRE::equals))
                .hasSize(2);
    }

    @Test
    void shortWaiterIsNotReportedBusyWhenLockIsFree() {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> first = node.locks.tryAcquireAsync(minute);
        passBoth(Duration.ofSeconds(30));
        held.release();

        CompletableFuture<Optional<Lease>> second =
                node.locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofMillis(50)));
        node.pass(Duration.ofMillis(50));

        assertThat(first).isNotDone();
        assertThat(second).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void waiterBehindUnansweredHeadGetsFailureNotBusy() {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> first = node.locks.tryAcquireAsync(minute);
        passBoth(Duration.ofSeconds(30));
        held.release();
        node.store.always(Fault.DENY);

        CompletableFuture<Optional<Lease>> second =
                node.locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofMillis(50)));
        node.pass(Duration.ofMillis(50));

        assertThat(first).isNotDone();
        assertThat(second).isCompletedExceptionally();
    }

    @Test
    void localWaitersCostOneWaiterAndAreServedInOrder() {
        Lease held = rival.take("job");
        List<Integer> order = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            int number = i;
            CompletableFuture<Void> unused = node.locks.tryAcquireAsync(minute).thenAccept(lease -> {
                order.add(number);
                lease.orElseThrow().release();
            });
        }
        passBoth(Duration.ofSeconds(10));
        long reads =
                node.store.operations().stream().filter(Operation.READ::equals).count();

        held.release();
        node.store.forget();
        passBoth(Duration.ofMillis(1_200));

        assertThat(reads).isLessThan(30);
        assertThat(order).hasSize(20).isSorted();
        assertThat(node.store.operations().stream().filter(Operation.READ::equals))
                .as("hand-over inside of the process needs no poll")
                .hasSizeLessThanOrEqualTo(2);
        assertThat(node.store.operations().stream().filter(Operation.ACQUIRE::equals))
                .hasSize(20);
    }

    @Test
    void timedOutWaiterKnowsHolderFromAnyQueuePosition() {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> first = node.locks.tryAcquireAsync(minute);
        CompletableFuture<Optional<Lease>> second = node.locks.tryAcquireAsync(minute.waitTime(Duration.ofSeconds(1)));

        passBoth(Duration.ofSeconds(2));

        assertThat(first).isNotDone();
        assertThat(second).isCompletedWithValue(Optional.empty());
        assertThat(node.events.busy).extracting(LockState::leaseId).containsExactly(held.id());
        assertThat(node.events.waiting).extracting(LockState::owner).containsExactly("rival", "rival");
    }

    @Test
    void staleReadCostsOneRejectedAttemptPerObservedChange() {
        LockRow free = rowAfterRelease();
        rival.take("job");
        CompletableFuture<Optional<Lease>> waiting = node.locks.tryAcquireAsync(minute);
        node.store.forget();
        node.store.always(
                request -> request.get().row() == null ? request.get() : new LockStore.Response(true, free, null));

        node.pass(Duration.ofSeconds(5));

        assertThat(waiting).isNotDone();
        assertThat(node.store.operations()).containsOnly(Operation.READ);
    }

    private LockRow rowAfterRelease() {
        rival.take("job").release();
        return node.row("job");
    }

    @Test
    void failureWhileWaitingFollowsRetryPolicyAndIsNotBusy() {
        rival.take("job");
        CompletableFuture<Optional<Lease>> waiting = node.locks.tryAcquireAsync(minute);
        node.store.next(Fault.THROTTLE, Fault.THROTTLE);
        passBoth(Duration.ofSeconds(5));
        boolean survived = !waiting.isDone();

        node.store.always(Fault.THROTTLE);
        passBoth(Duration.ofSeconds(5));

        assertThat(survived).isTrue();
        assertThatThrownBy(() -> waiting.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(LockStoreException.class);
        assertThat(node.events.all).containsExactly("failed job");
    }

    @Test
    void cancelEndsWaitAndLeavesNothingBehind() {
        Lease held = rival.take("job");
        CompletableFuture<Optional<Lease>> waiting = node.locks.tryAcquireAsync(minute);

        waiting.cancel(false);
        held.release();
        node.pass(Duration.ofSeconds(5));

        assertThat(waiting).isCancelled();
        assertThat(node.row("job").isFree()).isTrue();
        assertThat(node.scheduler.scheduled()).isZero();
    }

    @Test
    void cancelDuringRequestReleasesAcquiredLock() {
        List<CompletableFuture<Optional<Lease>>> waiting = new ArrayList<>();
        rival.take("job").release();
        Lease held = rival.take("job");
        waiting.add(node.locks.tryAcquireAsync(minute));
        held.release();
        node.store.next(Fault.then(() -> {}), Fault.then(() -> waiting.get(0).cancel(false)));

        node.pass(Duration.ofSeconds(2));

        assertThat(waiting.get(0)).isCancelled();
        assertThat(node.row("job").isFree()).isTrue();
        assertThat(node.locks.held()).isEmpty();
    }

    @Test
    void closeEndsAllWaits() {
        rival.take("job");
        CompletableFuture<Optional<Lease>> first = node.locks.tryAcquireAsync(minute);
        CompletableFuture<Optional<Lease>> second = node.locks.tryAcquireAsync(minute);

        node.locks.close();

        assertThatThrownBy(() -> first.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> second.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .hasCauseInstanceOf(IllegalStateException.class);
    }

    @Test
    void threadInterruptedWhileWaitingHoldsNothing() throws Exception {
        rival.take("job");
        CountDownLatch waits = new CountDownLatch(1);
        node.store.always(request -> {
            waits.countDown();
            return request.get();
        });
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread waiter = new Thread(() -> {
            try {
                node.locks.acquire(minute);
            } catch (InterruptedException | RuntimeException expected) {
                thrown.set(expected);
            }
        });
        waiter.start();
        assertThat(waits.await(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS)).isTrue();

        waiter.interrupt();
        waiter.join(TestRun.TIMEOUT.toMillis());

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(node.row("job").owner()).isEqualTo("rival");
    }

    @Test
    void interruptedThreadDoesNotStartWaiting() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> node.locks.tryAcquire(minute)).isInstanceOf(InterruptedException.class);

        assertThat(node.store.operations()).isEmpty();
    }

    private void passBoth(Duration time) {
        Duration step = Duration.ofMillis(10);
        for (Duration gone = Duration.ZERO; gone.compareTo(time) < 0; gone = gone.plus(step)) {
            rival.scheduler.pass(Duration.ZERO);
            node.scheduler.pass(step);
        }
        rival.scheduler.pass(Duration.ZERO);
    }

    @Test
    void timeBeforeFirstRejectionIsNotWaitTime() {
        Lease held = rival.take("job");
        node.store.next(Fault.slow(node.time, Duration.ofSeconds(3)));
        CompletableFuture<Optional<Lease>> served = node.locks.tryAcquireAsync(minute);
        CompletableFuture<Optional<Lease>> inVain =
                node.locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofSeconds(2)));

        node.pass(Duration.ofSeconds(5));
        held.release();
        node.pass(Duration.ofSeconds(3));

        assertThat(inVain).isCompletedWithValue(Optional.empty());
        assertThat(served).isCompletedWithValueMatching(Optional::isPresent);
        assertThat(node.events.beforeWaits).containsExactly(Duration.ZERO, Duration.ofSeconds(3));
    }

    @Test
    void threadInterruptedWhenLeaseArrivesHoldsIt() throws InterruptedException {
        node.store.next(Fault.then(() -> Thread.currentThread().interrupt()));

        Lease lease = node.locks.acquire(minute);
        boolean interrupted = Thread.interrupted();

        assertThat(lease.isHeld()).isTrue();
        assertThat(interrupted).isTrue();
    }
}
