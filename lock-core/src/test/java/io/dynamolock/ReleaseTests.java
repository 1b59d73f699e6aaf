/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.dynamodb.CapturedLogs;
import io.dynamolock.memory.InMemoryLockStore;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class ReleaseTests {

    private final Node node = Node.alone();
    private final Node rival = node.rival();

    @Test
    void releasesWithOneRequestAndKeepsToken() {
        Lease lease = node.take("job");
        node.store.forget();

        ReleaseOutcome outcome = lease.release();

        assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        assertThat(lease.isHeld()).isFalse();
        assertThat(node.row("job").isFree()).isTrue();
        assertThat(node.row("job").fencingToken()).isEqualTo(lease.fencingToken());
        assertThat(node.store.operations()).containsExactly(Operation.RELEASE);
        assertThat(node.locks.held()).isEmpty();
    }

    @Test
    void isHeldIsFalseOnceReleaseBegins() {
        Lease lease = node.take("job");
        List<Boolean> meanwhile = new ArrayList<>();
        node.store.next(Fault.first(() -> meanwhile.add(lease.isHeld())));

        lease.release();

        assertThat(meanwhile).containsExactly(false);
    }

    @Test
    void secondReleaseSendsNothingAndReturnsSameOutcome() {
        Lease lease = node.take("job");
        lease.release();
        node.store.forget();

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        lease.close();

        assertThat(node.store.operations()).isEmpty();
    }

    @Test
    void sixteenThreadsReleaseWithOneRequest() throws Exception {
        Lease lease = node.take("job");
        node.store.forget();
        ExecutorService threads = Executors.newFixedThreadPool(16);
        List<Callable<ReleaseOutcome>> releases = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            releases.add(lease::release);
        }

        List<Future<ReleaseOutcome>> outcomes = threads.invokeAll(releases);
        threads.shutdown();

        for (Future<ReleaseOutcome> outcome : outcomes) {
            assertThat(outcome.get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                    .isEqualTo(ReleaseOutcome.RELEASED);
        }
        assertThat(node.store.operations()).containsExactly(Operation.RELEASE);
    }

    @Test
    void lateReleaseLeavesSuccessorUntouched() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").autoRenew(false));
        node.scheduler.freeze(Duration.ofMinutes(1));
        rival.take("job");
        LockRow before = node.row("job");

        ReleaseOutcome outcome = lease.release();

        assertThat(outcome).isEqualTo(ReleaseOutcome.NOT_OWNED);
        assertThat(node.row("job")).isEqualTo(before);
    }

    @Test
    void alreadyFreeLockIsReportedDistinctly() {
        Lease lease = node.take("job");
        rival.locks.forceRelease("job", lease.id());

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_GONE);
    }

    @Test
    void recognizesOwnUnansweredReleaseBehindSuccessor() {
        Lease lease = node.take("job");
        node.store.next(request -> {
            var unused = request.get();
            rival.take("job").release();
            rival.take("job");
            return Fault.LOSE_RESPONSE.strike(() -> new LockStore.Response(true, null, null));
        });

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void unansweredReleaseAfterEndProvesNothing() {
        Lease lease = node.take("job");
        node.store.next(request -> {
            node.scheduler.freeze(Duration.ofSeconds(40));
            rival.take("job");
            return Fault.LOSE_REQUEST.strike(request);
        });

        assertThatThrownBy(lease::release).isInstanceOf(LockStoreException.class);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.NOT_OWNED);
    }

    @Test
    void recognizesOwnUnansweredRelease() {
        Lease lease = node.take("job");
        node.store.forget();
        node.store.next(Fault.LOSE_RESPONSE);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(node.store.operations()).containsExactly(Operation.RELEASE, Operation.RELEASE);
    }

    @Test
    void recognizesOwnUnansweredReleaseAfterAnotherAcquired() {
        Lease lease = node.take("job");
        node.store.next(Fault.LOSE_RESPONSE, Fault.first(() -> rival.take("job")));

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(node.row("job").owner()).isEqualTo("rival");
    }

    @Test
    void failedReleaseThrowsAndMayBeRetried() {
        Lease lease = node.take("job");
        node.store.next(Fault.DENY);

        assertThatThrownBy(lease::release).isInstanceOf(LockStoreException.class);
        assertThat(lease.isHeld()).isFalse();
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(node.events.all).containsExactly("acquired job", "release failed job", "released job RELEASED");
    }

    @Test
    void recognizesReleaseLeftUnansweredByEarlierCall() {
        Lease lease = node.take("job");
        node.store.next(Fault.LOSE_RESPONSE, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST);
        assertThatThrownBy(lease::release).isInstanceOf(LockStoreException.class);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void recognizesEarlierReleaseAfterAnotherAcquired() {
        Lease lease = node.take("job");
        node.store.next(Fault.LOSE_RESPONSE, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST);
        assertThatThrownBy(lease::release).isInstanceOf(LockStoreException.class);
        rival.take("job");
        node.pass(Duration.ofMillis(1)); // the second release has another time than the first

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(node.row("job").owner()).isEqualTo("rival");
    }

    @Test
    void releaseAfterTakeoverIsNotItsOwn() {
        Lease lease = node.take("job");
        node.store.next(Fault.LOSE_REQUEST, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST);
        assertThatThrownBy(lease::release).isInstanceOf(LockStoreException.class);
        node.scheduler.freeze(Duration.ofMinutes(1));
        rival.take("job");

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.NOT_OWNED);
    }

    @Test
    void releaseByListenerDoesNotWaitForItsOwnRenewal() {
        LockListener listener = new LockListener() {
            @Override
            public void onRenewed(Lease lease, Duration took) {
                lease.close();
            }
        };
        try (LockManager locks = LockManager.builder(new io.dynamolock.memory.InMemoryLockStore())
                .leaseDuration(Duration.ofHours(1))
                .attemptTimeout(TestRun.TIMEOUT.plusSeconds(5)) // how long it would wait
                .listener(listener)
                .build()) {
            Lease lease = locks.tryAcquire("job").orElseThrow();

            long started = System.nanoTime();
            assertThatIllegalStateException().isThrownBy(lease::renew);

            assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(TestRun.TIMEOUT);
            assertThat(lease.state()).isEqualTo(LeaseState.RELEASED);
        }
    }

    @Test
    void bodyExceptionIsThrownWithReleaseFailureSuppressed() {
        node.store.next(Fault.then(() -> {}), Fault.DENY);

        Throwable thrown;
        try (CapturedLogs logs = new CapturedLogs()) {
            thrown = catchThrowable(() -> {
                try (Lease lease = node.take("job")) {
                    throw new java.io.IOException("body of " + lease.name());
                }
            });
            assertThat(logs.warnings()).singleElement().asString().contains("'job'", "not released");
        }

        assertThat(thrown).isInstanceOf(java.io.IOException.class).hasMessage("body of job");
        assertThat(thrown.getSuppressed()).hasSize(1).hasOnlyElementsOfType(LockStoreException.class);
        assertThat(node.events.all).containsOnlyOnce("release failed job");
    }

    @Test
    void failedReleaseDoesNotFailFinishedWork() throws Exception {
        node.store.next(Fault.then(() -> {}), Fault.DENY);

        Execution<String> execution;
        try (CapturedLogs logs = new CapturedLogs()) {
            execution = node.locks.tryCall(LockRequest.of("job"), () -> "done");
            assertThat(logs.warnings()).singleElement().asString().contains("'job'", "not released");
        }

        assertThat(execution.executed()).isTrue();
        assertThat(execution.result()).isEqualTo("done");
    }

    @Test
    void failingWorkThrowsItsOwnException() {
        node.store.next(Fault.then(() -> {}), Fault.DENY);

        assertThatThrownBy(() -> node.locks.tryRun(LockRequest.of("job"), () -> {
                    throw new IllegalArgumentException("body");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("body")
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
    }

    @Test
    void workDoesNotRunIfLockIsBusy() throws Exception {
        rival.take("job");

        assertThat(node.locks.tryRun(LockRequest.of("job"), () -> {
                    throw new AssertionError("must not run");
                }))
                .isFalse();
        assertThat(node.locks.tryCall(LockRequest.of("job"), () -> "never").executed())
                .isFalse();
    }

    @Test
    void releasesOnInterruptedThreadAndKeepsItsFlag() {
        Lease lease = node.take("job");
        boolean[] flag = {true};
        node.store.next(Fault.first(() -> flag[0] = Thread.currentThread().isInterrupted()));
        Thread.currentThread().interrupt();

        ReleaseOutcome outcome = lease.release();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(flag[0]).isFalse();
    }

    @Test
    void minHoldKeepsRowHeldWithoutBlocking() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").minHold(Duration.ofSeconds(10)));
        node.pass(Duration.ofSeconds(4));

        ReleaseOutcome outcome = lease.release();

        assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED);
        assertThat(lease.isHeld()).isFalse();
        node.scheduler.freeze(Duration.ofSeconds(6));
        assertThat(rival.locks.tryAcquire("job")).isEmpty();
        node.scheduler.freeze(Duration.ofMillis(1_001));
        assertThat(rival.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void minHoldHandsNothingOver() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").minHold(Duration.ofSeconds(10)));
        CompletableFuture<Optional<Lease>> waiting =
                node.locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofMinutes(1)));
        node.store.forget();

        lease.release();

        assertThat(node.store.operations()).containsExactly(Operation.RELEASE);
        assertThat(waiting).isNotDone();
    }

    @Test
    void releaseWithoutResponseHandsLockOver() {
        Lease lease = node.take("job");
        CompletableFuture<Optional<Lease>> waiting =
                node.locks.tryAcquireAsync(LockRequest.of("job").waitTime(Duration.ofMinutes(1)));
        node.store.next(Fault.LOSE_RESPONSE, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST);

        assertThatThrownBy(lease::release).isInstanceOf(LockStoreException.class);

        assertThat(waiting).isCompletedWithValueMatching(Optional::isPresent);
    }

    @Test
    void deniedReleaseWakesNobodyEvenIfAnEarlierOneGotNoResponse() {
        Lease lease = node.take("job");
        Duration rarely = Duration.ofSeconds(20);
        CompletableFuture<Optional<Lease>> waiting = node.locks.tryAcquireAsync(LockRequest.of("job")
                .waitTime(Duration.ofMinutes(1))
                .pollMin(rarely)
                .pollMax(rarely));
        node.store.next(Fault.LOSE_REQUEST, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST);
        assertThatThrownBy(lease::release).isInstanceOf(LockStoreException.class);
        node.store.forget();
        node.store.next(Fault.DENY);

        assertThatThrownBy(lease::release).isInstanceOf(LockStoreException.class);

        assertThat(node.store.operations()).containsExactly(Operation.RELEASE);
        assertThat(waiting).isNotDone();
    }

    /** For example, there is no memory for the reading of the clock. */
    @Test
    void releaseThatCannotReadTheClockCanBeRepeated() throws Exception {
        AtomicBoolean broken = new AtomicBoolean();
        Clock clock = new UtcClock() {
            @Override
            public Instant instant() {
                if (broken.getAndSet(false)) {
                    throw new IllegalStateException("no time");
                }
                return Instant.now();
            }
        };
        try (LockManager manager =
                LockManager.builder(new InMemoryLockStore()).clock(clock).build()) {
            Lease lease = manager.tryAcquire("job").orElseThrow();
            broken.set(true);
            assertThatThrownBy(lease::release).isInstanceOf(IllegalStateException.class);

            ReleaseOutcome outcome =
                    CompletableFuture.supplyAsync(lease::release).get(TestRun.TIMEOUT.toSeconds(), TimeUnit.SECONDS);

            assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }

    @Test
    void duplicateRenewalDuringMinHoldChangesNothing() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").minHold(Duration.ofSeconds(10)));
        lease.renew();
        LockWrite.Renew copy = (LockWrite.Renew) node.store.sent().get(1).write();
        lease.release();

        LockWrite.Renew newer = Writes.renew(
                copy.name(), copy.leaseId(), 1_000_000, copy.leaseDuration(), copy.expiresAt(), copy.clock());

        assertThat(node.store.rows().renew(copy, Duration.ZERO).applied()).isFalse();
        assertThat(node.store.rows().renew(newer, Duration.ZERO).applied()).isFalse();
    }

    @Test
    void elapsedMinHoldFreesLock() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").minHold(Duration.ofSeconds(2)));
        node.pass(Duration.ofSeconds(4));

        lease.release();

        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void orderlyReleaseReportsNoLoss() {
        Lease lease = node.take("job");
        List<LeaseLost> losses = new ArrayList<>();
        lease.onLost(losses::add);

        lease.release();
        node.pass(Duration.ofMinutes(2));

        assertThat(losses).isEmpty();
        assertThat(lease.lost().toCompletableFuture()).isNotDone();
        assertThatIllegalStateException().isThrownBy(lease::ensureHeld);
        assertThatIllegalStateException().isThrownBy(lease::renew);
    }

    @Test
    void interruptDuringRequestDoesNotAbortRelease() {
        Lease lease = node.take("job");
        node.store.next(Fault.INTERRUPT);

        ReleaseOutcome outcome = lease.release();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(outcome).isEqualTo(ReleaseOutcome.RELEASED);
    }

    @Test
    void failureReportsUnknownOutcomeAfterAnyUnansweredAttempt() {
        Lease released = node.take("job");
        Lease renewed = node.take("other");

        node.store.next(Fault.LOSE_REQUEST, Fault.DENY);
        assertThatThrownBy(released::release)
                .isInstanceOfSatisfying(
                        LockStoreException.class,
                        failure -> assertThat(failure.isOutcomeUnknown()).isTrue());
        node.store.next(Fault.LOSE_REQUEST, Fault.DENY);
        assertThatThrownBy(renewed::renew)
                .isInstanceOfSatisfying(
                        LockStoreException.class,
                        failure -> assertThat(failure.isOutcomeUnknown()).isTrue());
        node.store.next(Fault.DENY);
        assertThatThrownBy(renewed::renew)
                .isInstanceOfSatisfying(
                        LockStoreException.class,
                        failure -> assertThat(failure.isOutcomeUnknown()).isFalse());
    }
}
