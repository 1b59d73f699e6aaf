/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.time.Scheduler.Rank;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A machine that temporarily cannot start threads. */
class NoThreadTests {

    private final Node node = Node.alone();

    @Test
    void renewalThatCannotStartIsFollowedByAnother() {
        Lease lease = node.take("job");
        node.scheduler.failNextRenewal();
        assertThatThrownBy(() -> node.pass(Duration.ofSeconds(15))).isInstanceOf(OutOfMemoryError.class);

        node.pass(Duration.ofMinutes(2));

        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(node.events.losses).isEmpty();
    }

    @Test
    void failedExpiryTimerIsSetWithNextRenewal() {
        Lease lease = node.take("job");
        node.scheduler.failNextAlarm();
        assertThatThrownBy(() -> node.pass(Duration.ofSeconds(15))).isInstanceOf(OutOfMemoryError.class);

        node.pass(Duration.ofMinutes(2));
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);

        node.scheduler.keepThreadsBusy();
        node.pass(Duration.ofMinutes(2));
        assertThat(node.events.losses).hasSize(1);
    }

    @Test
    void leaseThatCannotBeRenewedIsReleased() {
        node.scheduler.failNextAlarm();
        assertThatThrownBy(() -> node.take("job")).isInstanceOf(OutOfMemoryError.class);

        node.pass(Duration.ofSeconds(1));

        assertThat(node.locks.held()).isEmpty();
        assertThat(node.rival().locks.tryAcquire("job")).isPresent();
    }

    @Test
    void resumedLeaseThatCannotBeRenewedIsReleased() {
        LeaseToken token = node.rival().take("job").detach();
        node.scheduler.failNextAlarm();
        assertThatThrownBy(() -> node.locks.resume(token)).isInstanceOf(OutOfMemoryError.class);

        node.pass(Duration.ofSeconds(1));

        assertThat(node.locks.held()).isEmpty();
        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void responseCountsIfNoRequestThreadStarts() {
        node.scheduler.failNextLimit();

        Lease lease = node.take("job");

        assertThat(lease.isHeld()).isTrue();
        assertThat(node.store.operations()).hasSize(1);
    }

    // losses

    @Test
    void lossIsReportedIfNoCallbackThreadStarts() {
        Lease lease = node.take("job");
        List<LeaseLost> callbacks = new ArrayList<>();
        lease.onLost(callbacks::add);
        CompletableFuture<LeaseLost> stage = lease.lost().toCompletableFuture();
        node.locks.forceRelease("job", lease.id());
        node.scheduler.failNextCallback();

        node.pass(Duration.ofMinutes(1));

        assertThat(node.events.losses).hasSize(1);
        assertThat(callbacks).hasSize(1);
        assertThat(stage).isCompleted();
    }

    @Test
    void lossIsReportedIfNoThreadToReadReasonStarts() {
        node.take("job");
        node.scheduler.keepThreadsBusy();
        node.pass(Duration.ofSeconds(20));
        node.scheduler.freeze(Duration.ofMinutes(1));
        node.scheduler.failNextRenewal();

        node.pass(Duration.ofSeconds(1));

        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(LeaseLost.Reason.UNREACHABLE);
    }

    @Test
    void applicationExitsOnceIfNoExitThreadStarts() throws InterruptedException {
        for (String name : List.of("one", "other")) {
            Lease lease = node.locks.acquire(LockRequest.of(name).onLost(OnLost.SHUTDOWN));
            node.locks.forceRelease(name, lease.id());
        }
        node.noEmergencyThread = true;

        node.pass(Duration.ofMinutes(1));

        assertThat(node.emergencies).hasSize(1);
        assertThat(node.events.losses).hasSize(2);
    }

    // undos

    @Test
    void undoWithoutThreadRunsLater() {
        node.scheduler.failWork(Rank.UNDO);
        loseTheResponses();
        assertThatThrownBy(() -> node.locks.tryAcquire("job")).isInstanceOf(LockStoreException.class);
        node.pass(Duration.ofSeconds(1));
        boolean early = node.row("job").isFree();

        node.scheduler.failWork(null);
        node.pass(Duration.ofSeconds(1));

        assertThat(early).isFalse();
        assertThat(node.row("job").isFree()).isTrue();
        assertThat(node.scheduler.scheduled()).isZero();
    }

    @Test
    void undoWithoutThreadOrTimerRunsOnCaller() {
        node.scheduler.failWork(Rank.UNDO);
        node.scheduler.failNextAlarm();
        loseTheResponses();

        assertThatThrownBy(() -> node.locks.tryAcquire("job")).isInstanceOf(LockStoreException.class);

        assertThat(node.row("job").isFree()).isTrue();
    }

    /** More than may run concurrently. */
    @Test
    void undosWithoutThreadDoNotBlockOtherUndos() {
        node.scheduler.failWork(Rank.UNDO);
        for (int i = 0; i < 10; i++) {
            String name = "job-" + i;
            loseTheResponses();
            assertThatThrownBy(() -> node.locks.tryAcquire(name)).isInstanceOf(LockStoreException.class);
        }
        node.pass(Duration.ofSeconds(1));

        node.scheduler.failWork(null);
        node.pass(Duration.ofSeconds(2));

        for (int i = 0; i < 10; i++) {
            assertThat(node.row("job-" + i).isFree()).isTrue();
        }
    }

    private void loseTheResponses() {
        node.store.next(Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE, Fault.LOSE_RESPONSE);
    }

    // futures

    @Test
    void asyncAcquireFailsIfItsUndoFindsNoThread() {
        node.scheduler.failWork(Rank.UNDO);
        loseTheResponses();

        CompletableFuture<Lease> attempt = node.locks.acquireAsync(LockRequest.of("job"));
        node.pass(Duration.ofSeconds(1));

        assertThat(attempt)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withCauseInstanceOf(LockStoreException.class);
    }

    @Test
    void asyncAcquireFailsIfItsTimeoutCannotBeSet() {
        node.scheduler.failNextAlarm();

        CompletableFuture<Lease> attempt = node.locks.acquireAsync(LockRequest.of("job"));

        assertFailedForWantOfAThread(attempt);
    }

    @Test
    void asyncAcquireFailsIfItsWakeUpCannotBeSet() {
        Lease held = node.rival().take("job");
        LockRequest request = LockRequest.of("job").waitTime(Duration.ofSeconds(10));
        node.store.next(Fault.first(node.scheduler::failNextAlarm));

        CompletableFuture<Lease> failed = node.locks.acquireAsync(request);
        CompletableFuture<Lease> next = node.locks.acquireAsync(request);
        held.release();
        node.pass(Duration.ofSeconds(5));

        assertFailedForWantOfAThread(failed);
        assertThat(next).isCompleted();
    }

    private static void assertFailedForWantOfAThread(CompletableFuture<?> future) {
        assertThat(future)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingRootCause()
                .isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void asyncCallsContinueOnCallerIfNoWorkerStarts() {
        node.scheduler.failWork(Rank.ACQUIRE);
        CompletableFuture<Lease> attempt = node.locks.acquireAsync(LockRequest.of("job"));
        node.scheduler.failWork(Rank.RELEASE);

        assertThat(attempt).isCompleted();
        assertThat(attempt.join().closeAsync()).isCompleted();
        assertThat(node.row("job").isFree()).isTrue();
    }
}
