/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.ConditionFailures.RenewRefusal;
import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockStore.Response;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Ends a lease as lost: determines why, and reports it to the log, the listener and the registered callbacks. The first
 * reason counts.
 */
final class LeaseLossHandler {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseLossHandler.class);

    private final EngineContext context;
    private final HeldLease lease;
    private final LeaseStatus status;
    private final LeaseGrant grant;
    private final LeasedThreads workers;
    private final ShutdownOnLoss shutdownOnLoss;
    private final LossNotification notice;

    /**
     * Creates a handler.
     *
     * @param lease the lease, whose heartbeat ends before a loss is reported
     * @param workers the threads at work under the lease
     */
    LeaseLossHandler(
            EngineContext context,
            HeldLease lease,
            LeaseStatus status,
            LeasedThreads workers,
            ShutdownOnLoss shutdownOnLoss) {
        this.context = context;
        this.lease = lease;
        this.status = status;
        this.grant = status.grant;
        this.workers = workers;
        this.shutdownOnLoss = shutdownOnLoss;
        this.notice = new LossNotification(context);
    }

    LossNotification notice() {
        return notice;
    }

    /**
     * Handles the expiry. If a renewal has failed or has no response, and the process was not paused meanwhile, no
     * request is sent for the reason: the store may not respond. If finding it takes a request, the work is interrupted
     * before.
     */
    void onExpired() {
        if (status.isReleasedOrDetached()) {
            return; // meanwhile, by its holder
        }
        boolean paused = status.isPastItsEndForLong(context.clock.now());
        if (status.mustExpire() || (status.isRenewalMissing() && !paused)) {
            loseExpired();
        } else {
            stopWork();
            submitReasonLookup();
        }
    }

    private void submitReasonLookup() {
        try {
            context.scheduler.retryRenewal(status.endNanos(), this::findLossReason);
        } catch (Throwable noThread) {
            loseAsUnreachable(noThread);
        }
    }

    private void loseAsUnreachable(Throwable failure) {
        LOG.warn("The reason why the lease on lock '{}' has ended cannot be determined", grant.name(), failure);
        lose(Reason.UNREACHABLE, null);
    }

    private void findLossReason() {
        if (status.isReleasedOrDetached()) {
            return;
        }
        Response response;
        try {
            Duration timeout = context.settings.attemptTimeoutFor(grant.leaseDuration());
            response = context.client.read(grant.name(), grant.storedName(), true, RequestTimeouts.of(timeout));
        } catch (LockStoreException unreachable) {
            lose(Reason.UNREACHABLE, null);
            return;
        } catch (Throwable unexpected) {
            loseAsUnreachable(unexpected);
            return;
        }
        onRowWithoutLease(response.row());
    }

    /**
     * Handles a row that no longer holds the lease. If this lease's own release freed the row, the lease had expired
     * before for lack of a renewal.
     */
    void onRowWithoutLease(@Nullable LockRow row) {
        boolean released = row != null && ConditionFailures.isReleased(grant.leaseId(), row);
        if (released && status.isReleaseSent()) {
            loseExpired();
        } else {
            RenewRefusal.Gone gone = ConditionFailures.gone(grant.leaseId(), row);
            lose(gone.reason(), gone.newHolder());
        }
    }

    /** Ends a lease that nobody took from it, but that was not renewed in time. */
    void loseExpired() {
        if (!grant.autoRenew()) {
            lose(Reason.EXPIRED, null);
        } else {
            lose(status.hasReachedMaxHold() ? Reason.MAX_HOLD : Reason.UNREACHABLE, null);
        }
    }

    /** Ends the lease as lost, unless it was lost, released or detached before. */
    void lose(Reason reason, @Nullable String newHolder) {
        LeaseLost loss = status.lose(reason, newHolder);
        if (loss != null) {
            lease.end();
            report(loss);
        }
    }

    private void stopWork() {
        if (grant.onLost() == OnLost.INTERRUPT && !status.isReleasedOrDetached()) {
            workers.interrupt();
        }
    }

    /**
     * Reports the loss. Interrupting the work and shutting down the application come first; listeners and callbacks run
     * on other threads. A failed step does not prevent the others. If no thread can be started for the shutdown, it
     * runs last, on this thread, as it may never return.
     */
    private void report(LeaseLost loss) {
        boolean shutsDown = grant.onLost() == OnLost.SHUTDOWN && loss.reason() != Reason.CLOSED;
        runAndLogFailure(this::stopWork);
        boolean shutsDownHere = shutsDown && !shutdownOnLoss.shutDown(loss);
        notifyLoss(loss, () -> {});
        if (shutsDownHere) {
            shutdownOnLoss.shutDownOnThisThread(loss);
        }
    }

    /**
     * Notifies of a loss; of one that only the rejection of the release has shown, nothing is left to be stopped.
     *
     * @param next notifies the listener of what follows, on the same thread
     */
    void notifyLoss(LeaseLost loss, Runnable next) {
        runAndLogFailure(() -> context.runCallback(() -> {
            context.listener.onLost(lease, loss);
            next.run();
        }));
        runAndLogFailure(() -> notice.publish(loss));
        LOG.atLevel(loss.reason() == Reason.CLOSED ? Level.DEBUG : Level.WARN)
                .log(
                        "Lost lock '{}' (owner '{}', token {}, acquired at {}): {}",
                        grant.name(),
                        grant.owner(),
                        grant.token(),
                        grant.acquiredAt(),
                        loss.describe());
    }

    private void runAndLogFailure(Runnable step) {
        try {
            step.run();
        } catch (Throwable failure) {
            LOG.warn("A step of reporting the loss of lock '{}' failed", grant.name(), failure);
        }
    }
}
