/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LeaseLost.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the caller gets from work that ended under a lost lease. */
class LostWorkTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LockRequest JOB = LockRequest.of("job");

    private final Node node = Node.alone();

    @AfterEach
    void leaveNoInterruptBehind() {
        boolean mine = Thread.interrupted();
        assertThat(mine).isFalse();
    }

    @Test
    void resultOfWorkUnderLostLeaseIsNotReturned() {
        LeaseLostException lost = lossOf(() -> node.locks.call(JOB, () -> {
            loseTheLock();
            return "result";
        }));

        assertThat(lost.lockName()).isEqualTo("job");
        assertThat(lost.loss()).isNotNull().extracting(LeaseLost::reason).isEqualTo(Reason.REVOKED);
        assertThat(lost).hasMessageContainingAll("'job'", "it was revoked", "its return value is dropped");
        assertThat(lost.getSuppressed()).isEmpty();
    }

    @Test
    void everyFormThrows() {
        lossOf(() -> node.locks.call(JOB, lease -> lost()));
        lossOf(() -> node.locks.call("job", this::lost));
        lossOf(() -> node.locks.tryCall(JOB, this::lost));
        lossOf(() -> node.locks.tryCall("job", lease -> lost()));
        lossOf(() -> node.locks.tryRun(JOB, this::loseTheLock));
        lossOf(() -> node.locks.tryRun("job", this::loseTheLock));
    }

    @Test
    void exceptionOfWorkIsSuppressed() {
        IOException own = new IOException("broken pipe");

        LeaseLostException lost = lossOf(() -> node.locks.call(JOB, () -> {
            loseTheLock();
            throw own;
        }));

        assertThat(lost.getSuppressed()).containsExactly(own);
        assertThat(lost).hasMessageContaining("broken pipe");
    }

    @Test
    void lossThatWorkNoticedIsThrownUnchanged() {
        Throwable[] noticed = new Throwable[1];

        LeaseLostException lost = lossOf(() -> node.locks.call(JOB, lease -> {
            loseTheLock();
            noticed[0] = catchThrowable(lease::ensureHeld);
            lease.ensureHeld();
            return "result";
        }));

        assertThat(lost).hasMessage(noticed[0].getMessage());
        assertThat(lost.getSuppressed()).isEmpty();
    }

    @Test
    void errorIsThrownItself() {
        AssertionError own = new AssertionError("wrong");

        Throwable thrown = catchThrowable(() -> node.locks.tryRun(JOB, () -> {
            loseTheLock();
            throw own;
        }));

        assertThat(thrown).isSameAs(own);
        assertThat(own.getSuppressed()).hasSize(1).hasOnlyElementsOfType(LeaseLostException.class);
    }

    @Test
    void interruptIncludesIt() {
        LeaseLostException lost = lossOf(() -> node.locks.call(JOB.onLost(OnLost.INTERRUPT), () -> {
            loseTheLock();
            Thread.sleep(10_000);
            return "result";
        }));

        assertThat(lost.getSuppressed()).hasSize(1).hasOnlyElementsOfType(InterruptedException.class);
    }

    @Test
    void shutdownIncludesIt() {
        lossOf(() -> node.locks.call(JOB.onLost(OnLost.SHUTDOWN), this::lost));
    }

    @Test
    void eventOnlyNotifies() throws Exception {
        LockRequest quiet = JOB.onLost(OnLost.EVENT);

        assertThat(node.locks.call(quiet, this::lost)).isEqualTo("result");
        assertThatThrownBy(() -> node.locks.tryRun(quiet, () -> {
                    loseTheLock();
                    throw new IllegalArgumentException("own");
                }))
                .isInstanceOf(IllegalArgumentException.class)
                .hasNoSuppressedExceptions();
        assertThat(node.events.losses).hasSize(2);
    }

    @Test
    void foreignInterruptIsKept() {
        lossOf(() -> node.locks.call(JOB, () -> {
            loseTheLock();
            throw new InterruptedException("by another");
        }));

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void expiredLeaseCountsAsLost() {
        lossOf(() -> node.locks.tryRun(JOB.autoRenew(false), () -> node.pass(LEASE.multipliedBy(2))));
        lossOf(() -> node.locks.tryRun(JOB.maxHold(LEASE), () -> node.pass(LEASE.multipliedBy(2))));
        lossOf(() -> node.locks.tryRun(JOB, () -> node.scheduler.freeze(LEASE.multipliedBy(2))));
    }

    @Test
    void closedManagerCountsAsLost() {
        LeaseLostException lost = lossOf(() -> node.locks.tryRun(JOB, node.locks::close));

        assertThat(lost.loss()).isNotNull().extracting(LeaseLost::reason).isEqualTo(Reason.CLOSED);
    }

    @Test
    void lossFoundByReleaseCounts() {
        LeaseLostException freed = lossOf(() -> node.locks.tryRun(JOB, this::freeTheLock));
        LeaseLostException taken = lossOf(() -> node.locks.tryRun(JOB, () -> {
            freeTheLock();
            node.rival().take("job");
        }));

        assertThat(freed.loss()).isNotNull().extracting(LeaseLost::reason).isEqualTo(Reason.REVOKED);
        assertThat(taken.loss()).isNotNull().extracting(LeaseLost::newHolder).isEqualTo("rival");
    }

    @Test
    void lossFoundByReleaseIsReported() {
        Lease lease = node.locks.tryAcquire("job").orElseThrow();
        List<LeaseLost> notified = new CopyOnWriteArrayList<>();
        lease.onLost(notified::add);
        freeTheLock();

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_GONE);
        node.pass(Duration.ofSeconds(1));

        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.REVOKED);
        assertThat(notified).isEqualTo(node.events.losses);
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        lease.release();
        assertThat(node.events.losses).hasSize(1);
    }

    @Test
    void secondCopyOfOwnReleaseIsNotLoss() {
        Lease lease = node.locks.tryAcquire("job").orElseThrow();
        node.store.next(request -> {
            assertThat(request.get().applied()).isTrue();
            return request.get();
        });

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.RELEASED);

        assertThat(node.events.losses).isEmpty();
    }

    @Test
    void unansweredReleaseIsNotLoss() throws Exception {
        node.store.next(Fault.then(() -> {}), Fault.LOSE_RESPONSE);

        assertThat(node.locks.call(JOB, () -> "result")).isEqualTo("result");
    }

    @Test
    void takeoverAfterWorkEndedIsNotLoss() throws Exception {
        node.store.next(Fault.then(() -> {}), Fault.first(() -> {
            node.scheduler.freeze(LEASE.multipliedBy(2));
            node.rival().take("job");
        }));

        assertThat(node.locks.call(JOB, () -> "result")).isEqualTo("result");
    }

    @Test
    void workThatReleasedItsLockIsNotLost() throws Exception {
        String result = node.locks.call(JOB, lease -> {
            lease.release();
            node.pass(LEASE.multipliedBy(2));
            return "result";
        });

        assertThat(result).isEqualTo("result");
    }

    @Test
    void workThatDetachedItsLockIsNotLost() throws Exception {
        LeaseToken token = node.locks.call(JOB, lease -> {
            LeaseToken detached = lease.detach();
            node.pass(LEASE.multipliedBy(2));
            return detached;
        });

        assertThat(token).isNotNull();
    }

    @Test
    void nestedWorkIsLostWithOuterWork() {
        LockRequest again = JOB.reentrant(true);
        boolean[] innerLost = {false};

        LeaseLostException lost = lossOf(() -> node.locks.call(again, () -> {
            innerLost[0] =
                    catchThrowable(() -> node.locks.tryRun(again, this::loseTheLock)) instanceof LeaseLostException;
            return "result";
        }));

        assertThat(innerLost).containsExactly(true);
        assertThat(lost.getSuppressed()).isEmpty();
    }

    @Test
    void closeAfterLossThrowsNothing() throws Exception {
        try (Lease lease = node.locks.acquire(JOB)) {
            loseTheLock();
            assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        }
    }

    // asynchronous work

    @Test
    void asynchronousWorkUnderLostLeaseFails() {
        Lease lease = node.take("job");
        IOException own = new IOException("broken pipe");
        loseTheLock();

        CompletionStage<Void> ended = LeasedWork.endAsync(lease, own);

        assertThat(ended.toCompletableFuture())
                .failsWithin(TestRun.TIMEOUT)
                .withThrowableThat()
                .havingCause()
                .isInstanceOf(LeaseLostException.class)
                .satisfies(lost -> assertThat(lost.getSuppressed()).containsExactly(own));
    }

    @Test
    void asynchronousWorkUnderHeldLeaseReleases() {
        Lease lease = node.take("job");

        CompletionStage<Void> ended = LeasedWork.endAsync(lease, null);
        node.pass(Duration.ofMillis(1));

        assertThat(ended.toCompletableFuture()).succeedsWithin(TestRun.TIMEOUT);
        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void failedReleaseDoesNotFailAsynchronousWork() {
        Lease lease = node.take("job");
        node.store.always(Fault.DENY);

        CompletionStage<Void> ended = LeasedWork.endAsync(lease, null);
        node.pass(Duration.ofMillis(1));

        assertThat(ended.toCompletableFuture()).succeedsWithin(TestRun.TIMEOUT);
        assertThat(node.events.failedReleases).hasSize(1);
    }

    private static LeaseLostException lossOf(ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(LeaseLostException.class);
        return (LeaseLostException) thrown;
    }

    private String lost() {
        loseTheLock();
        return "result";
    }

    /** Frees the lock by force; the next renewal of its holder detects it. */
    private void loseTheLock() {
        freeTheLock();
        int before = node.events.losses.size();
        node.pass(LEASE.dividedBy(2));
        assertThat(node.events.losses).hasSize(before + 1);
    }

    private void freeTheLock() {
        node.rival().locks.forceRelease("job", String.valueOf(node.row("job").leaseId()));
    }
}
