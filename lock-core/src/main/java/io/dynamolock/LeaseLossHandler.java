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

/** Determines why a lease was lost, and reports the loss to the log, the listener and the registered callbacks. */
final class LeaseLossHandler {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLossHandler.class);

    /** A process that detects the expiry later than this must have been paused, and cannot know why no renewal succeeded. */
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
        this.notice = new LossNotification(context::runCallback, context.scheduler::complete);
    }

    LossNotification notice() {
        return notice;
    }

    /** Returns the loss; null if the lease is not lost, or if the reason is not known yet. */
    @Nullable
    LeaseLost known() {
        return known;
    }

    /** Handles the expiry. The work is interrupted immediately, as finding the reason may take a request. */
    void onExpired() {
        stopWork();
        if (!grant.autoRenew()) {
            lease.lose(Reason.EXPIRED, null);
        } else if (lease.hasReachedMaxHold()) {
            lease.lose(Reason.MAX_HOLD, null);
        } else if (lease.isRenewalMissing() && !lease.isPastItsEndBy(LATE)) {
            lease.lose(Reason.UNREACHABLE, null);
        } else {
            submitReasonLookup();
        }
    }

    private void submitReasonLookup() {
        try {
            context.scheduler.retryRenewal(lease.endNanos(), this::findLossReason);
        } catch (Throwable noThread) {
            loseAsUnreachable(noThread);
        }
    }

    private void loseAsUnreachable(Throwable failure) {
        LOG.warn("The reason why the lease on lock '{}' has ended cannot be determined", grant.name(), failure);
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
            loseAsUnreachable(unexpected);
            return;
        }
        found(answer.row());
    }

    /**
     * Handles a row that no longer holds the lease. If this lease's own release freed the row, the lease had expired before
     * for lack of a renewal.
     */
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
        if (grant.onLost() == OnLost.INTERRUPT && !lease.isReleasedOrDetached()) {
            lease.workers().interrupt();
        }
    }

    /**
     * Reports the loss. Interrupting the work and shutting down the application come first; listeners and callbacks run on
     * other threads. A failed step does not prevent the others. If no thread can be started for the shutdown, it runs last,
     * on this thread, as it may never return.
     */
    void report(LeaseLost loss) {
        boolean shutsDown = grant.onLost() == OnLost.SHUTDOWN && loss.reason() != Reason.CLOSED;
        runAndLogFailure(this::stopWork);
        boolean shutsDownHere = shutsDown && !context.shutdownOnLoss.shutDown(loss);
        runAndLogFailure(() -> context.runCallback(() -> context.listener.onLost(lease, loss)));
        runAndLogFailure(() -> notice.publish(loss));
        LOG.atLevel(loss.reason() == Reason.CLOSED ? Level.DEBUG : Level.WARN)
                .log(
                        "Lost lock '{}' (owner '{}', token {}): {}",
                        grant.name(),
                        grant.owner(),
                        grant.token(),
                        loss.describe());
        if (shutsDownHere) {
            context.shutdownOnLoss.shutDownOnThisThread(loss);
        }
    }

    private void runAndLogFailure(Runnable step) {
        try {
            step.run();
        } catch (Throwable failure) {
            LOG.warn("A step of reporting the loss of lock '{}' failed", grant.name(), failure);
        }
    }
}
