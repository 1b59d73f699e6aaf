/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.ConditionFailures.RenewRefusal;
import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Rest;
import io.dynamolock.time.Durations;
import io.dynamolock.time.Parker;
import io.dynamolock.time.Scheduler.Rank;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Releases one lease. Concurrent calls share one release and its outcome. A release returns after the last
 * renewal that was in flight, so that nothing is written for this lease afterwards. A failed release can be repeated. A
 * lease that was lost before is reported as lost, not as released.
 */
final class LeaseRelease {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseRelease.class);

    /** Informs the manager of releases in progress, also by detaching, for which it waits when it closes. */
    interface Hooks {

        void releaseBegun(Lease lease);

        void releaseEnded(Lease lease);
    }

    /** An attempt to release, whose outcome other callers await, but not those on its own thread. */
    private static final class Attempt extends CompletableFuture<ReleaseOutcome> {

        private final Thread thread = Thread.currentThread();
    }

    private final EngineContext context;
    private final Hooks hooks;
    private final HeldLease lease;
    private final LeaseStatus status;
    private final LeaseGrant grant;
    private final LeaseRenewal renewal;
    private final LeaseLossHandler loss;
    private final AtomicReference<@Nullable Attempt> shared = new AtomicReference<>();

    /** Whether an attempt, of this call or an earlier one, may have been applied without a response. */
    private volatile boolean unanswered;

    /** Of each attempt to release: a repeated one changes the end that an earlier one may have left. */
    private final AtomicLong nextRest = new AtomicLong(Rest.FIRST);

    LeaseRelease(
            EngineContext context,
            Hooks hooks,
            HeldLease lease,
            LeaseStatus status,
            LeaseRenewal renewal,
            LeaseLossHandler loss) {
        this.context = context;
        this.hooks = hooks;
        this.lease = lease;
        this.status = status;
        this.grant = status.grant;
        this.renewal = renewal;
        this.loss = loss;
    }

    ReleaseOutcome perform() {
        ClockReading now = context.clock.now(); // first: if it fails, nothing has begun
        Attempt own = new Attempt();
        Attempt before = shared.compareAndExchange(null, own);
        if (before != null) {
            return outcomeOf(before);
        }
        hooks.releaseBegun(lease);
        try {
            return performAndReport(own, now);
        } finally {
            hooks.releaseEnded(lease);
        }
    }

    private ReleaseOutcome performAndReport(CompletableFuture<ReleaseOutcome> own, ClockReading started) {
        try {
            ReleaseOutcome outcome = settle(own, started);
            Duration took = since(started);
            LeaseLost foundLoss = status.lossFoundByRelease();
            if (foundLoss != null) {
                loss.notifyLoss(foundLoss, () -> context.listener.onReleased(lease, outcome, took));
            } else if (!status.hasEndedAsLost()) {
                context.listener.onReleased(lease, outcome, took);
            }
            return outcome;
        } catch (LockStoreException failure) {
            boolean expired = status.isPastItsEnd();
            LOG.atLevel(expired ? Level.INFO : Level.WARN)
                    .log(
                            "Lock '{}' was not released {}: {}",
                            grant.name(),
                            expired ? "before its lease expired" : "and stays taken until its lease expires",
                            failure.getMessage());
            context.listener.onReleaseFailed(lease, failure, since(started));
            throw failure;
        }
    }

    private Duration since(ClockReading started) {
        return Duration.ofNanos(context.clock.nanos() - started.nanos());
    }

    /** Completes the future before any listener is called, since a listener may release the lease once more. */
    private ReleaseOutcome settle(CompletableFuture<ReleaseOutcome> own, ClockReading now) {
        try {
            ReleaseOutcome outcome = release(now);
            own.complete(outcome);
            return outcome;
        } catch (RuntimeException | Error failure) {
            shared.set(null);
            own.completeExceptionally(failure);
            throw failure;
        }
    }

    private ReleaseOutcome outcomeOf(Attempt performed) {
        if (!performed.isDone() && performed.thread == Thread.currentThread()) {
            throw new IllegalStateException(
                    "A listener cannot release the lease on lock '%s' during its release".formatted(grant.name()));
        }
        Parker pause = context.scheduler.parker();
        if (pause.awaitUninterruptibly(performed)) {
            Thread.currentThread().interrupt();
        }
        try {
            return performed.join();
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failed;
        }
    }

    private ReleaseOutcome release(ClockReading now) {
        if (!lease.markReleased(now)) {
            throw new IllegalStateException("The lease on lock '%s' is detached".formatted(grant.name()));
        }
        try {
            return status.hasEndedAsLost() ? removeLost() : releaseHeld(now);
        } finally {
            renewal.awaitNone();
        }
    }

    private ReleaseOutcome releaseHeld(ClockReading now) {
        Duration timeout = context.settings.callTimeoutFor(grant.leaseDuration());
        Release write = write(now, false, status.hasFailed());
        if (write.rest() != null && now.time() == LeaseTime.OBSERVED) {
            if (!context.clock.isReady()) { // otherwise another request has set it meanwhile, or none can
                timeout = Durations.part(timeout, 2);
                context.sampleClock(grant.name(), grant.storedName(), timeout);
            }
            write = write(context.clock.now(), false, status.hasFailed());
        }
        Response response = send(write, timeout);
        ReleaseOutcome outcome =
                ConditionFailures.ofRelease(write, response, unanswered, unanswered && !status.isPastItsEnd());
        if (outcome != ReleaseOutcome.RELEASED && !status.isPastItsEnd() && !status.isUnused()) {
            RenewRefusal.Gone gone = ConditionFailures.gone(grant.leaseId(), response.row());
            status.lossFoundByRelease(status.lossNow(gone.reason(), gone.newHolder()));
        }
        handOffIfFree(write, response);
        context.observeKept(write, response, grant.row());
        return outcome;
    }

    private Release write(ClockReading now, boolean lost, boolean failed) {
        return status.isUnused()
                ? grant.releaseUnused(now)
                : grant.release(now, lost, failed, status.keep(), nextRest.getAndIncrement());
    }

    /** Sends a release. If it may have been applied without a response, the first waiter of this process tries next. */
    private Response send(Release write, Duration callTimeout) {
        RetryBudget budget = context.client.budget(callTimeout);
        status.releaseSent();
        if (write.lastHold() != null) {
            context.observations.released(write.name(), write.lastHold());
        }
        try {
            return context.client.withRetries(
                    grant.name(),
                    Operation.RELEASE,
                    budget,
                    context.settings.attemptTimeoutFor(grant.leaseDuration()),
                    timeouts -> context.client.release(grant.name(), Operation.RELEASE, write, timeouts));
        } catch (LockStoreException failure) {
            if (budget.anyUnanswered()) {
                handOff(write);
            }
            throw failure;
        } finally {
            unanswered |= budget.anyUnanswered();
        }
    }

    private void handOffIfFree(Release write, Response response) {
        if (ConditionFailures.showsFreeLock(response)) {
            handOff(write);
        }
    }

    private void handOff(Release write) {
        if (write.rest() == null) {
            context.waitQueues.handOff(grant.storedName());
        }
    }

    /**
     * Removes what is left of a lost lease from its row, so that nobody waits for an end that is no longer needed. What
     * is reported is the loss, whose reason the row shows if it is not known yet; a failure here has no consequences.
     * After an outage the request is sent in the background, because the store may never respond.
     */
    private ReleaseOutcome removeLost() {
        ReleaseOutcome known = outcomeOfKnownLoss();
        if (known != null) {
            return known;
        }
        if (status.wasLostBy(Reason.UNREACHABLE)) {
            context.inBackground(Rank.RELEASE, this::sendLost);
            return ReleaseOutcome.LOST;
        }
        if (status.mustExpire()) {
            loss.loseExpired();
        }
        return sendLost();
    }

    private ReleaseOutcome sendLost() {
        Release write = write(context.clock.now(), !status.wasLostBy(Reason.CLOSED), true);
        try {
            Response response = send(write, context.onlyAttemptTimeout(grant.leaseDuration()));
            handOffIfFree(write, response);
            if (!response.applied()) {
                loss.onRowWithoutLease(response.row());
                ReleaseOutcome outcome = ConditionFailures.ofRelease(write, response, unanswered, false);
                return outcome == ReleaseOutcome.RELEASED ? ReleaseOutcome.LOST : outcome;
            }
        } catch (LockStoreException failure) {
            LOG.debug("The row of lost lock '{}' was not cleaned up: {}", grant.name(), failure.getMessage());
        }
        loss.loseExpired();
        return ReleaseOutcome.LOST;
    }

    /** Returns the outcome that follows from a known loss, so that no request is needed; null if none does. */
    private @Nullable ReleaseOutcome outcomeOfKnownLoss() {
        LeaseLost lost = status.loss();
        if (lost == null) {
            return null;
        }
        return switch (lost.reason()) {
            case TAKEN -> ReleaseOutcome.NOT_OWNED;
            case DELETED -> ReleaseOutcome.ALREADY_GONE;
            default -> null;
        };
    }
}
