/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockStore.Answer;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Finds out why one lease has ended before its holder released it, and tells it: to the log, the listener, whoever asked. */
final class LeaseLossHandler {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLossHandler.class);

    /** Who notices an end so late must have stood still, and cannot know why it was not renewed. */
    private static final Duration LATE = Duration.ofMillis(250);

    private final EngineContext context;
    private final HeldLease lease;
    private final LeaseGrant grant;
    private final LossNotification notice;

    private volatile @Nullable LeaseLost known;

    LeaseLossHandler(EngineContext context, HeldLease lease, LeaseGrant grant) {
        this.context = context;
        this.lease = lease;
        this.grant = grant;
        this.notice = new LossNotification(context::tell, context.scheduler::complete);
    }

    LossNotification notice() {
        return notice;
    }

    /** The loss; null if there is none, or if its reason is still being found out. */
    @Nullable
    LeaseLost known() {
        return known;
    }

    /** Its time is over. The work must know at once, the reason may take a request. */
    void onExpired() {
        stopWork();
        if (!grant.autoRenew()) {
            lease.lose(Reason.EXPIRED, null);
        } else if (lease.hasReachedMaxHold()) {
            lease.lose(Reason.MAX_HOLD, null);
        } else if (lease.isRenewalMissing() && !lease.isPastItsEndBy(LATE)) {
            lease.lose(Reason.UNREACHABLE, null);
        } else {
            lookWhySoon();
        }
    }

    private void lookWhySoon() {
        try {
            context.scheduler.retryRenewal(lease.endNanos(), this::findLossReason);
        } catch (Throwable noThread) {
            loseUnseen(noThread);
        }
    }

    private void loseUnseen(Throwable failure) {
        LOG.warn("Why the lease on lock '{}' has ended cannot be looked up", grant.name(), failure);
        lease.lose(Reason.UNREACHABLE, null);
    }

    private void findLossReason() {
        Answer answer;
        try {
            Duration timeout = context.settings.attemptTimeoutFor(grant.lease());
            answer = context.client.read(grant.name(), grant.stored(), true, RequestTimeouts.of(timeout));
        } catch (LockStoreException unreachable) {
            lease.lose(Reason.UNREACHABLE, null);
            return;
        } catch (Throwable unexpected) {
            loseUnseen(unexpected);
            return;
        }
        found(answer.row());
    }

    /** Its row shows that it is over. What its own release has freed, it had lost before for want of a renewal. */
    void found(@Nullable LockRow row) {
        boolean released =
                row != null && !row.isHeldBy(grant.leaseId()) && grant.leaseId().equals(row.lastLeaseId());
        if (released && lease.isReleaseSent()) {
            lease.lose(grant.autoRenew() ? Reason.UNREACHABLE : Reason.EXPIRED, null);
        } else {
            ConditionFailures.Renewal.Gone gone = ConditionFailures.gone(grant.leaseId(), row);
            lease.lose(gone.reason(), gone.newHolder());
        }
    }

    LeaseLost because(Reason reason, Instant at, @Nullable String newHolder) {
        LeaseLost loss = new LeaseLost(grant.name(), grant.owner(), reason, at, newHolder);
        known = loss;
        return loss;
    }

    private void stopWork() {
        if (grant.onLost() == OnLost.INTERRUPT && !lease.isGivenBack()) {
            lease.workers().interrupt();
        }
    }

    /**
     * Does first what must not wait for anybody's code; listeners and callbacks take their time elsewhere. Each step happens
     * even if another fails. An end of the application that finds no thread comes last, as it may never return.
     */
    void tell(LeaseLost loss) {
        boolean ends = grant.onLost() == OnLost.SHUTDOWN && loss.reason() != Reason.CLOSED;
        evenIfItFails(this::stopWork);
        boolean endsHere = ends && !context.shutdownOnLoss.shutDown(loss);
        evenIfItFails(() -> context.tell(() -> context.listener.onLost(lease, loss)));
        evenIfItFails(() -> notice.give(loss));
        LOG.atLevel(loss.reason() == Reason.CLOSED ? Level.DEBUG : Level.WARN)
                .log(
                        "Lost lock '{}' (owner '{}', token {}): {}",
                        grant.name(),
                        grant.owner(),
                        grant.token(),
                        loss.describe());
        if (endsHere) {
            context.shutdownOnLoss.shutDownOnThisThread(loss);
        }
    }

    private void evenIfItFails(Runnable step) {
        try {
            step.run();
        } catch (Throwable failure) {
            LOG.warn("A step of reporting the loss of lock '{}' failed", grant.name(), failure);
        }
    }
}
