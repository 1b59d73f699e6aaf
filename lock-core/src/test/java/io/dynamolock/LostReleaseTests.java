/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynamolock.FaultyStore.Fault;
import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.dynamodb.CapturedLogs;
import io.dynamolock.time.Scheduler.Rank;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The release of a lease that was lost before. */
class LostReleaseTests {

    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final LockRequest JOB = LockRequest.of("job");

    private final Node node = Node.alone();

    @Test
    void lostLeaseIsNotReportedAsReleased() {
        Lease lease = loseByOutage();
        node.store.heal();

        ReleaseOutcome outcome = lease.release();

        assertThat(outcome).isEqualTo(ReleaseOutcome.LOST);
        assertThat(node.events.all).endsWith("lost job").noneMatch(event -> event.startsWith("release"));
        assertThat(lease.state()).isEqualTo(LeaseState.LOST);
        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
    }

    @Test
    void restOfLostLeaseIsRemoved() {
        Lease lease = loseByOutage();
        node.store.heal();

        lease.close();

        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void callerDoesNotWaitForStoreThatWasUnreachable() {
        Lease lease = loseByOutage();
        node.store.forget();
        node.scheduler.keepWorkWaiting();

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);

        assertThat(node.store.operations()).isEmpty();
        assertThat(node.scheduler.workWaiting()).isEqualTo(1);
    }

    @Test
    void callerCleansUpItselfIfNoThreadCanBeStarted() {
        Lease lease = loseByOutage();
        node.store.heal();
        node.scheduler.failWork(Rank.RELEASE);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);

        assertThat(node.row("job").isFree()).isTrue();
    }

    @Test
    void failureAfterLossIsNeitherThrownNorReported() {
        Lease lease = loseByOutage();
        node.store.forget();

        try (CapturedLogs logs = new CapturedLogs()) {
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
            assertThat(logs.warnings()).isEmpty();
        }

        assertThat(node.store.operations()).isNotEmpty();
        assertThat(node.events.failedReleases).isEmpty();
    }

    @Test
    void undetectedExpiryIsReportedAsLoss() {
        Lease lease = node.take("job");
        node.scheduler.freeze(LEASE.multipliedBy(2));

        ReleaseOutcome outcome = lease.release();
        node.pass(LEASE);

        assertThat(outcome).isEqualTo(ReleaseOutcome.LOST);
        assertThat(node.events.all).containsExactly("acquired job", "lost job");
        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.UNREACHABLE);
    }

    @Test
    void undetectedTakeoverIsReportedAsLoss() {
        Lease lease = node.take("job");
        node.scheduler.freeze(LEASE.multipliedBy(2));
        node.rival().take("job");

        ReleaseOutcome outcome = lease.release();

        assertThat(outcome).isEqualTo(ReleaseOutcome.NOT_OWNED);
        assertThat(node.events.losses).extracting(LeaseLost::newHolder).containsExactly("rival");
        assertThat(node.events.all).containsExactly("acquired job", "lost job");
    }

    @Test
    void expectedExpiryKeepsItsReason() throws Exception {
        Lease left = node.locks.acquire(JOB.autoRenew(false));
        Lease limited = node.locks.acquire(JOB.name("limited").maxHold(LEASE));
        node.scheduler.freeze(LEASE.multipliedBy(2));
        node.rival().take("job");

        assertThat(left.release()).isEqualTo(ReleaseOutcome.NOT_OWNED);
        assertThat(limited.release()).isEqualTo(ReleaseOutcome.LOST);

        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.EXPIRED, Reason.MAX_HOLD);
    }

    @Test
    void expiryDuringOutageIsReportedAsLoss() {
        Lease lease = node.take("job");
        node.scheduler.freeze(LEASE.multipliedBy(2));
        node.store.always(Fault.DENY);

        assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);

        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.UNREACHABLE);
    }

    @Test
    void causeOfLossIsKnownToCallerOfWork() {
        assertThatThrownBy(() -> node.locks.tryRun(JOB, () -> {
                    node.scheduler.freeze(LEASE.multipliedBy(2));
                    node.rival().take("job");
                }))
                .isInstanceOfSatisfying(
                        LeaseLostException.class,
                        lost -> assertThat(lost.loss())
                                .isNotNull()
                                .extracting(LeaseLost::newHolder)
                                .isEqualTo("rival"))
                .hasMessageContaining("taken over by 'rival'");
    }

    @Test
    void releaseThatOutlastsLeaseLogsNoWarning() {
        Lease lease = node.take("job");
        node.store.next(
                request -> {
                    node.scheduler.freeze(LEASE.multipliedBy(2));
                    return Fault.LOSE_REQUEST.strike(request);
                },
                Fault.LOSE_REQUEST,
                Fault.LOSE_REQUEST);

        try (CapturedLogs logs = new CapturedLogs()) {
            assertThatThrownBy(lease::release).isInstanceOf(LockStoreException.class);
            assertThat(logs.warnings()).isEmpty();
        }

        assertThat(node.events.failedReleases).hasSize(1);
    }

    @Test
    void revokedLockIsFreedEarly() {
        Lease lease = node.take("job");
        node.rival().locks.revoke("job", lease.id());
        node.pass(LEASE.dividedBy(2));
        assertThat(node.events.losses).extracting(LeaseLost::reason).containsExactly(Reason.REVOKED);

        lease.close();

        assertThat(node.row("job").isFree()).isTrue();
        assertThat(node.events.all).endsWith("lost job");
    }

    private Lease loseByOutage() {
        Lease lease = node.take("job");
        node.store.always(Fault.DENY);
        node.pass(LEASE.plusSeconds(5));
        assertThat(node.events.losses).hasSize(1);
        return lease;
    }
}
