/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.FaultyStore.Sent;
import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockListener.Operation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HeartbeatTests {

    private final Node node = Node.alone();
    private final Node rival = node.rival();

    @Test
    void keepsLeaseForTenTimesItsDuration() {
        Lease lease = node.take("job");

        for (int i = 0; i < 300; i++) {
            node.pass(Duration.ofSeconds(1));
            assertThat(lease.state()).isEqualTo(LeaseState.HELD);
            assertThat(rival.locks.tryAcquire("job")).isEmpty();
        }

        assertThat(node.store.operations()).hasSizeBetween(27, 31);
        assertThat(node.row("job").leaseId()).isEqualTo(lease.id());
    }

    @Test
    void renewalsAreNumberedAndWriteOnlyTheRow() {
        node.take("job");

        node.pass(Duration.ofSeconds(45));

        List<Long> numbers = new ArrayList<>();
        for (Sent sent : node.store.sent()) {
            if (sent.operation() == Operation.RENEW) {
                numbers.add(((LockWrite.Renew) sent.write()).number());
            }
        }
        assertThat(numbers).startsWith(1L, 2L, 3L, 4L).isSorted();
        assertThat(node.store.operations()).containsOnly(Operation.ACQUIRE, Operation.RENEW);
    }

    @Test
    void stopsOnRelease() {
        Lease lease = node.take("job");
        lease.release();
        node.store.forget();

        node.pass(Duration.ofMinutes(5));

        assertThat(node.store.operations()).isEmpty();
        assertThat(node.scheduler.scheduled()).isZero();
    }

    @Test
    void leaseWithoutAutoRenewExpiresAndReportsLoss() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").autoRenew(false));

        node.pass(Duration.ofSeconds(31));

        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.EXPIRED);
        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"LOSE_REQUEST", "LOSE_RESPONSE", "THROTTLE", "DENY", "BUG", "ERROR"})
    void failuresDoNotStopTheSchedule(String fault) throws Exception {
        Lease lease = node.take("job");
        node.store.next((Fault) Fault.class.getField(fault).get(null));

        node.pass(Duration.ofMinutes(2));

        assertThat(lease.isHeld()).isTrue();
        assertThat(node.events.all).containsOnlyOnce("renewal failed job").doesNotContain("lost job");
        assertThat(rival.locks.tryAcquire("job")).isEmpty();
    }

    @Test
    void missedRenewalMeansAtRiskUntilOneSucceeds() {
        Lease lease = node.take("job");
        node.store.always(Fault.LOSE_REQUEST);
        node.pass(Duration.ofSeconds(12));
        LeaseState during = lease.state();

        node.store.heal();
        node.pass(Duration.ofSeconds(10));

        assertThat(during).isEqualTo(LeaseState.AT_RISK);
        assertThat(lease.state()).isEqualTo(LeaseState.HELD);
        assertThat(node.events.all)
                .contains("renewal failed job", "renewed job")
                .doesNotContain("lost job");
    }

    @Test
    void lagCountsFromFirstMissedRenewal() {
        node.take("job");
        node.pass(Duration.ofSeconds(25));
        assertThat(node.heartbeatLag()).isZero();

        node.store.always(Fault.LOSE_REQUEST);
        node.pass(Duration.ofSeconds(18));
        Duration failing = node.heartbeatLag();
        node.store.heal();
        node.pass(Duration.ofSeconds(10));

        assertThat(failing).isBetween(Duration.ofSeconds(7), Duration.ofSeconds(18));
        assertThat(node.heartbeatLag()).isZero();
    }

    @Test
    void hasNoLagWithoutRenewals() throws InterruptedException {
        node.locks.acquire(LockRequest.of("one").autoRenew(false));
        node.locks.acquire(LockRequest.of("other").maxHold(Duration.ofSeconds(35)));

        node.pass(Duration.ofSeconds(28));

        assertThat(node.locks.held()).isNotEmpty();
        assertThat(node.heartbeatLag()).isZero();
    }

    @Test
    void unansweredRenewalIsRecognizedWithoutLoss() {
        Lease lease = node.take("job");
        node.store.next(Fault.LOSE_RESPONSE);

        node.pass(Duration.ofMinutes(1));

        assertThat(lease.isHeld()).isTrue();
        assertThat(node.events.losses).isEmpty();
    }

    @Test
    void unreachableStoreIsReportedByLocalEnd() {
        Lease lease = node.take("job");
        List<LeaseLost> losses = new ArrayList<>();
        lease.onLost(losses::add);
        node.store.always(Fault.LOSE_REQUEST);

        node.pass(Duration.ofSeconds(35));

        assertThat(losses).hasSize(1);
        assertThat(losses.get(0).reason()).isEqualTo(Reason.UNREACHABLE);
        assertThat(losses.get(0).at()).isBeforeOrEqualTo(lease.acquiredAt().plusSeconds(30));
        assertThat(node.events.all.indexOf("renewal failed job")).isLessThan(node.events.all.indexOf("lost job"));
    }

    @Test
    void renewalWithoutThreadReportsLossByLocalEnd() {
        Lease lease = node.take("job");
        node.scheduler.keepThreadsBusy();

        node.pass(Duration.ofSeconds(30));

        assertThat(node.events.all).containsSubsequence("renewal failed job", "lost job");
        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.UNREACHABLE);
        assertThat(node.events.losses.get(0).at())
                .isBeforeOrEqualTo(lease.acquiredAt().plusSeconds(30));
    }

    /** Threads that wait for a store are the consequence of its failure, not the cause. */
    @Test
    void failureOfTheStoreIsTheReasonOfALossAlsoWithoutThread() {
        node.take("job");
        node.store.always(Fault.LOSE_REQUEST);
        node.pass(Duration.ofSeconds(15));
        node.scheduler.keepThreadsBusy();

        node.pass(Duration.ofSeconds(15));

        assertThat(node.events.losses)
                .singleElement()
                .extracting(LeaseLost::lastFailure)
                .asString()
                .isEqualTo("no response");
    }

    @Test
    void retriesDelayOnlyOtherRetries() {
        Lease lease = node.take("job");
        node.scheduler.keepRetriesWaiting();
        node.pass(Duration.ofMinutes(2));
        LeaseState before = lease.state();
        node.store.next(Fault.LOSE_REQUEST);

        node.pass(Duration.ofSeconds(40));

        assertThat(before).isEqualTo(LeaseState.HELD);
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
    }

    @Test
    void nothingIsWrittenAfterALoss() {
        node.take("job");
        node.store.always(Fault.LOSE_REQUEST);
        node.pass(Duration.ofSeconds(35));
        node.store.heal();
        node.store.forget();

        node.pass(Duration.ofMinutes(5));

        assertThat(node.store.operations()).isEmpty();
        assertThat(node.scheduler.scheduled()).isZero();
    }

    @Test
    void takeoverIsReportedWithNewHolder() {
        Lease lease = node.take("job");
        rival.locks.forceRelease("job", lease.id());
        rival.take("job");

        node.pass(Duration.ofSeconds(11));

        assertThat(node.events.losses).hasSize(1);
        assertThat(node.events.losses.get(0).reason()).isEqualTo(Reason.TAKEN);
        assertThat(node.events.losses.get(0).newHolder()).isEqualTo("rival");
        assertThat(lease.isHeld()).isFalse();
        assertThatThrownBy(lease::ensureHeld)
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining("rival");
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.NOT_OWNED);
    }

    @Test
    void deletedRowIsReportedAndNotRecreated() {
        Lease lease = node.take("job");
        node.store.next(request -> new LockStore.Response(false, null, null));

        node.pass(Duration.ofSeconds(11));
        node.store.forget();

        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.DELETED);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.ALREADY_GONE);
        assertThat(node.store.operations()).isEmpty();
    }

    @Test
    void forcedReleaseAndRevocationAreReportedAsRevoked() {
        Lease forced = node.take("forced");
        Lease revoked = node.take("revoked");
        rival.locks.forceRelease("forced", forced.id());
        assertThat(rival.locks.revoke("revoked", revoked.id())).isTrue();

        node.pass(Duration.ofSeconds(11));

        assertThat(node.events.losses).extracting(LeaseLost::reason).containsOnly(Reason.REVOKED);
        assertThat(node.events.losses).hasSize(2);
    }

    @Test
    void revokedLockIsFreeAtLeaseEnd() {
        Lease lease = node.take("job");
        rival.locks.revoke("job", lease.id());
        node.pass(Duration.ofSeconds(20));

        assertThat(rival.locks.tryAcquire("job")).isEmpty();
        node.pass(Duration.ofMillis(11_001));
        assertThat(rival.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void maxHoldEndsRenewedLease() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").maxHold(Duration.ofSeconds(75)));

        node.pass(Duration.ofSeconds(74));
        boolean before = lease.isHeld();
        node.pass(Duration.ofSeconds(1));

        assertThat(before).isTrue();
        assertThat(lease.isHeld()).isFalse();
        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.MAX_HOLD);
        node.pass(Duration.ofMillis(1_001));
        assertThat(rival.locks.tryAcquire("job")).isPresent();
    }

    @Test
    void pausedProcessLosesLeaseImmediatelyAndLearnsReason() {
        Lease lease = node.take("job");
        node.scheduler.freeze(Duration.ofMinutes(1));
        rival.take("job");
        LockRow row = node.row("job");

        boolean firstLook = lease.isHeld();
        node.pass(Duration.ofMillis(1));

        assertThat(firstLook).isFalse();
        assertThat(node.events.losses).hasSize(1);
        assertThat(node.events.losses.get(0).reason()).isEqualTo(Reason.TAKEN);
        assertThat(node.events.losses.get(0).newHolder()).isEqualTo("rival");
        assertThat(node.row("job")).isEqualTo(row);
    }

    @Test
    void suspendedMachineLearnsLossReason() {
        node.take("job");
        ManualTime others = new ManualTime();
        others.pass(Duration.ofMinutes(1));
        Node awake = node.rival(others, Node.settings(Duration.ofSeconds(30)));
        assertThat(awake.locks.tryAcquire("job")).isPresent();
        node.time.stepWall(Duration.ofMinutes(1));

        node.pass(Duration.ofSeconds(12));

        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.TAKEN);
    }

    @Test
    void suspendedMachineDetectsEndByWallClock() {
        Lease lease = node.take("job");
        node.time.stepWall(Duration.ofMinutes(1));

        assertThat(lease.isHeld()).isFalse();

        node.time.stepWall(Duration.ofMinutes(-1));
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void wallClockSetBackChangesNothing() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").autoRenew(false));
        node.time.stepWall(Duration.ofHours(-1));

        node.scheduler.freeze(Duration.ofSeconds(29));
        boolean before = lease.isHeld();
        node.scheduler.freeze(Duration.ofSeconds(1));

        assertThat(before).isTrue();
        assertThat(lease.isHeld()).isFalse();
    }

    @Test
    void endCountsFromBeforeRequestWasSent() throws InterruptedException {
        node.store.next(Fault.slow(node.time, Duration.ofSeconds(2)));

        Lease lease = node.locks.acquire(LockRequest.of("job").autoRenew(false));

        assertThat(lease.remaining())
                .isEqualTo(Times.heldFor(Duration.ofSeconds(30)).minusSeconds(2));
    }

    @Test
    void shorterRenewalLowersEndBeforeSending() {
        Lease lease = node.take("job");
        List<Duration> remaining = new ArrayList<>();
        node.store.next(Fault.first(() -> remaining.add(lease.remaining())));

        lease.renew(Duration.ofSeconds(5));

        assertThat(remaining).containsExactly(Times.heldFor(Duration.ofSeconds(5)));
        assertThat(lease.remaining()).isEqualTo(Times.heldFor(Duration.ofSeconds(5)));
    }

    @Test
    void shortenedLeaseIsRenewedWithItsNewDuration() {
        Lease lease = node.take("job");

        lease.renew(Duration.ofSeconds(3));
        node.pass(Duration.ofMinutes(1));

        assertThat(lease.isHeld()).isTrue();
        assertThat(lease.remaining()).isLessThanOrEqualTo(Duration.ofSeconds(3));
        assertThat(node.store.operations()).hasSizeBetween(58, 72);
    }

    @Test
    void extendedLeaseIsRenewedLessOften() {
        Lease lease = node.take("job");

        lease.renew(Duration.ofMinutes(5));
        node.pass(Duration.ofMinutes(30));

        assertThat(lease.isHeld()).isTrue();
        assertThat(node.store.operations()).hasSizeBetween(18, 24);
    }

    @Test
    void shortenedLeaseWithoutAutoRenewEndsEarlier() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").autoRenew(false));

        lease.renew(Duration.ofSeconds(3));
        node.pass(Duration.ofSeconds(3));

        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.EXPIRED);
    }

    @Test
    void unansweredShorterRenewalStillLowersEnd() {
        Lease lease = node.take("job");
        node.store.next(Fault.LOSE_RESPONSE, Fault.LOSE_REQUEST, Fault.LOSE_REQUEST);

        assertThatThrownBy(() -> lease.renew(Duration.ofSeconds(5))).isInstanceOf(LockStoreException.class);

        assertThat(lease.remaining()).isEqualTo(Times.heldFor(Duration.ofSeconds(5)));
    }

    @Test
    void releaseWaitsForRenewalInFlightAndStopsFurtherRenewals() throws Exception {
        Lease lease = node.take("job");
        CountDownLatch freed = new CountDownLatch(1);
        boolean[] returned = {false, false};
        Thread releaser = new Thread(() -> {
            lease.release();
            returned[0] = true;
        });
        node.store.next(
                Fault.first(() -> {
                    releaser.start();
                    Latches.await(freed);
                    await().until(() -> returned[0] || releaser.getState() == Thread.State.TIMED_WAITING);
                    returned[1] = returned[0];
                }),
                Fault.then(freed::countDown));

        node.pass(Duration.ofMinutes(1));
        releaser.join(TestRun.TIMEOUT.toMillis());

        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE, Operation.RENEW, Operation.RELEASE);
        assertThat(returned).containsExactly(true, false);
        assertThat(node.events.all).doesNotContain("lost job");
    }

    @Test
    void releaseWithoutRequestWaitsForRenewalInFlight() throws Exception {
        Lease lease = node.take("job");
        Node rival = node.rival();
        boolean[] returned = {false, false};
        Thread releaser = new Thread(() -> {
            lease.release();
            returned[0] = true;
        });
        node.store.next(Fault.first(() -> {
            rival.locks.forceRelease("job", lease.id());
            rival.take("job");
            assertThatThrownBy(lease::renew).isInstanceOf(LeaseLostException.class);
            releaser.start();
            await().until(() -> returned[0] || releaser.getState() == Thread.State.TIMED_WAITING);
            returned[1] = returned[0];
        }));

        node.pass(Duration.ofMinutes(1));
        releaser.join(TestRun.TIMEOUT.toMillis());

        assertThat(returned).containsExactly(true, false);
        assertThat(node.store.operations()).doesNotContain(Operation.RELEASE);
    }

    @Test
    void lateCallbackRunsImmediatelyAndThrowingCallbackIsIsolated() {
        Lease lease = node.take("job");
        List<Reason> reasons = new ArrayList<>();
        lease.onLost(loss -> {
            throw new IllegalStateException("callback");
        });
        lease.onLost(loss -> reasons.add(loss.reason()));
        node.store.always(Fault.DENY);
        node.pass(Duration.ofSeconds(35));

        lease.onLost(loss -> reasons.add(loss.reason()));

        assertThat(reasons).containsExactly(Reason.UNREACHABLE, Reason.UNREACHABLE);
        assertThat(lease.lost().toCompletableFuture()).isCompleted();
    }
}
