/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** When the heartbeat starts, pauses and restarts. */
class HeartbeatRestTests {

    private final Node node = Node.alone();

    @Test
    void shorterRenewalRestartsIdleHeartbeat() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").maxHold(Duration.ofSeconds(40)));
        node.pass(Duration.ofSeconds(20));

        lease.renew(Duration.ofSeconds(5));
        node.pass(Duration.ofSeconds(19));

        assertThat(lease.isHeld()).isTrue();
        node.pass(Duration.ofSeconds(1));
        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.MAX_HOLD);
    }

    @Test
    void leaseIsKeptThatIsShortenedWhileItsNextRenewalIsPlanned() {
        Deque<Runnable> meanwhile = new ArrayDeque<>();
        Node planning = Node.planning(Node.settings(Duration.ofHours(4)), () -> {
            Optional.ofNullable(meanwhile.poll()).ifPresent(Runnable::run);
            return 0.5;
        });
        Lease lease = planning.take("job");
        meanwhile.add(() -> lease.renew(Duration.ofSeconds(10)));
        planning.pass(Duration.ofHours(2));

        assertThat(meanwhile).isEmpty();
        assertThat(planning.events.losses).isEmpty();
        assertThat(lease.remaining()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(10));
    }

    @Test
    void renewalThatIsPlannedForJustBeforeTheEndOfAShortenedLeaseIsMoved() {
        Deque<Runnable> meanwhile = new ArrayDeque<>();
        Node planning = Node.planning(Node.settings(Duration.ofHours(1)), () -> {
            Optional.ofNullable(meanwhile.poll()).ifPresent(Runnable::run);
            return 0.5;
        });
        Duration untilRenewal = Duration.ofMinutes(21); // a third of the lease, and half of the jitter
        Lease lease = planning.take("job");
        meanwhile.add(() -> lease.renew(untilRenewal.plusSeconds(5)));
        Duration least = lease.remaining();
        for (int minute = 0; minute < 60; minute++) {
            planning.pass(Duration.ofMinutes(1));
            least = Durations.min(least, lease.remaining());
        }

        assertThat(meanwhile).isEmpty();
        assertThat(least).isBetween(Duration.ofMinutes(5), untilRenewal);
    }

    @Test
    void leaseIsKeptThatIsShortenedWhileRenewalsAreRescheduled() throws InterruptedException {
        assertThat(momentsAt(HeartbeatRestTests::keepsLeaseShortenedDuringRecovery))
                .isGreaterThan(2);
    }

    @Test
    void renewalThatIsPlannedWhileAnotherThreadMovesItIsKept() throws InterruptedException {
        Node node = Node.alone(Node.settings(Duration.ofHours(4)));
        Lease lease = leaseWithFailedRenewal(node);
        node.scheduler.duringNextAlarm(() -> lease.renew(Duration.ofSeconds(10)));
        node.registry.onStoreRecovered();
        Duration shortened = lease.remaining();

        node.pass(Duration.ofHours(2));

        assertThat(shortened).isLessThan(Duration.ofSeconds(11));
        assertThat(node.events.losses).isEmpty();
    }

    private static Lease leaseWithFailedRenewal(Node node) throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").maxHold(Duration.ofDays(1)));
        node.store.next(Fault.DENY);
        while (node.store.operations().size() < 2) {
            node.pass(Duration.ofMinutes(1));
        }
        return lease;
    }

    private static boolean keepsLeaseShortenedDuringRecovery(int moment) throws InterruptedException {
        Node node = Node.alone(Node.settings(Duration.ofHours(4)));
        Lease lease = leaseWithFailedRenewal(node);
        AtomicBoolean shortened = new AtomicBoolean();
        node.time.atReading(moment, () -> {
            lease.renew(Duration.ofSeconds(10));
            shortened.set(true);
        });
        node.registry.onStoreRecovered();
        boolean met = shortened.get();

        node.pass(Duration.ofHours(2));

        assertThat(node.events.losses).as("moment %s", moment).isEmpty();
        return met;
    }

    @Test
    void lossIsReportedInTimeIfLeaseIsShortenedDuringCheckOfExpiry() throws InterruptedException {
        assertThat(momentsAt(HeartbeatRestTests::reportsLossOfLeaseShortenedDuringCheck))
                .isGreaterThan(2);
    }

    private static boolean reportsLossOfLeaseShortenedDuringCheck(int moment) throws InterruptedException {
        Node node = Node.alone(Node.settings(Duration.ofHours(4)));
        Lease lease = node.locks.acquire(LockRequest.of("job").autoRenew(false));
        Duration untilCheck = lease.remaining();
        node.pass(Duration.ofHours(1));
        lease.renew();
        node.pass(untilCheck.minusHours(1).minusSeconds(5));
        AtomicBoolean shortened = new AtomicBoolean();
        node.time.atReading(moment, () -> {
            lease.renew(Duration.ofSeconds(10));
            shortened.set(true);
        });
        node.pass(Duration.ofSeconds(5));
        boolean met = shortened.get();

        node.pass(Duration.ofMinutes(1));

        assertThat(node.events.losses)
                .as("moment %s", moment)
                .extracting(LeaseLost::reason)
                .containsExactly(Reason.EXPIRED);
        return met;
    }

    private interface Scenario {

        /** Returns whether the clock was read as often as that. */
        boolean playAt(int moment) throws InterruptedException;
    }

    /** Returns how many moments there are. */
    private static int momentsAt(Scenario scenario) throws InterruptedException {
        int moment = 1;
        while (scenario.playAt(moment)) {
            moment++;
        }
        return moment;
    }

    @Test
    void renewalDuringPausedCheckOfExpiryIsNoLoss() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").autoRenew(false));
        node.pass(Duration.ofSeconds(10));
        lease.renew();
        node.pass(lease.remaining().minus(Heartbeat.MARGIN).minusNanos(1));
        int firstOfCheck = 3; // after two of the scheduler
        node.time.atReading(firstOfCheck, () -> {
            lease.renew();
            node.time.pass(Heartbeat.MARGIN.multipliedBy(2));
        });

        node.pass(Duration.ofMillis(1));

        assertThat(node.events.losses).isEmpty();
        assertThat(lease.remaining()).isGreaterThan(Duration.ofSeconds(20));
    }

    @Test
    void renewalDuringCheckOfLeaseWithoutThreadIsNoLoss() throws InterruptedException {
        assertThat(momentsAt(HeartbeatRestTests::keepsLeaseRenewedDuringCheck)).isGreaterThan(2);
    }

    private static boolean keepsLeaseRenewedDuringCheck(int moment) {
        Node node = Node.alone();
        Lease lease = node.take("job");
        node.scheduler.keepThreadsBusy();
        node.pass(lease.remaining().minus(Heartbeat.MARGIN).minusNanos(1));
        AtomicBoolean met = new AtomicBoolean();
        AtomicBoolean renewed = new AtomicBoolean();
        node.time.atReading(moment, () -> {
            met.set(true);
            renewed.set(isRenewed(lease));
        });

        node.pass(Duration.ofMillis(1));

        assertThat(node.events.losses).as("moment %s", moment).hasSize(met.get() && renewed.get() ? 0 : 1);
        return met.get();
    }

    private static boolean isRenewed(Lease lease) {
        try {
            lease.renew();
            return true;
        } catch (LeaseLostException earlier) {
            return false;
        }
    }

    @Test
    void lateAnsweredAcquireIsRenewedBeforeItsEnd() throws InterruptedException {
        node.store.next(Fault.slow(node.time, Duration.ofMillis(2_700)));
        Lease lease = node.locks.acquire(LockRequest.of("job").leaseDuration(Duration.ofSeconds(3)));

        node.pass(Duration.ofSeconds(10));

        assertThat(lease.isHeld()).isTrue();
    }

    @Test
    void leaseOfMaximumHoldIsNeverRenewed() throws InterruptedException {
        node.locks.acquire(LockRequest.of("job").maxHold(Duration.ofSeconds(20)));

        node.pass(Duration.ofSeconds(20));

        assertThat(node.store.operations()).containsExactly(Operation.ACQUIRE);
        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.MAX_HOLD);
    }

    @Test
    void failureOfRenewalThatCouldExtendNothingIsNoLoss() throws InterruptedException {
        Lease lease = node.locks.acquire(LockRequest.of("job").maxHold(Duration.ofSeconds(40)));
        node.pass(Duration.ofSeconds(20));
        node.store.always(Fault.DENY);
        assertThatThrownBy(lease::renew).isInstanceOf(LockStoreException.class);

        node.pass(lease.remaining().minusMillis(2));
        boolean before = lease.isHeld();
        node.pass(Duration.ofMillis(3));

        assertThat(before).isTrue();
        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.MAX_HOLD);
    }

    @Test
    void unloggableFailureDoesNotStopHeartbeat() {
        Lease lease = node.take("job");
        node.store.next(Fault.DENY);
        node.events.whenRenewalsFail = () -> {
            throw new Unspeakable();
        };

        passWhateverIsThrown(Duration.ofSeconds(11));
        node.pass(Duration.ofMinutes(2));

        assertThat(lease.isHeld()).isTrue();
    }

    /** Ignores failures as the threads of a manager do, which continue afterwards. */
    private void passWhateverIsThrown(Duration time) {
        try {
            node.pass(time);
        } catch (IllegalStateException logged) {
            assertThat(logged).hasMessage("in getMessage");
        }
    }

    /** An exception whose description throws as well. */
    private static final class Unspeakable extends Error {

        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("in getMessage");
        }
    }
}
