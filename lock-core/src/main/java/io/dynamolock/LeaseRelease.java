/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Answer;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.time.Parker;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Releases one lease. Concurrent calls share one release and its outcome. Returns after the last renewal that was in
 * flight, so that nothing is written for this lease afterwards. A failed release can be repeated.
 */
final class LeaseRelease {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseRelease.class);

    /** Informs the manager of releases in progress, for which it waits when it closes. */
    interface Hooks {

        void releaseBegun(Lease lease);

        void releaseEnded(Lease lease);
    }

    private final EngineContext context;
    private final Hooks hooks;
    private final Lease lease;
    private final LeaseStatus status;
    private final LeaseGrant grant;
    private final LeaseRenewal renewal;
    private final BooleanSupplier end;
    private final AtomicReference<@Nullable CompletableFuture<ReleaseOutcome>> performed = new AtomicReference<>();

    /** Whether an attempt, of this call or an earlier one, may have been applied without a response. */
    private volatile boolean unanswered;

    private volatile @Nullable LeaseLost foundLoss;

    /**
     * Creates a release.
     *
     * @param end ends the lease as released; returns false if it must not be released
     */
    LeaseRelease(
            EngineContext context,
            Hooks hooks,
            Lease lease,
            LeaseStatus status,
            LeaseRenewal renewal,
            BooleanSupplier end) {
        this.context = context;
        this.hooks = hooks;
        this.lease = lease;
        this.status = status;
        this.grant = status.grant;
        this.renewal = renewal;
        this.end = end;
    }

    ReleaseOutcome perform() {
        CompletableFuture<ReleaseOutcome> own = new CompletableFuture<>();
        CompletableFuture<ReleaseOutcome> before = performed.compareAndExchange(null, own);
        if (before != null) {
            return outcomeOf(before);
        }
        hooks.releaseBegun(lease);
        try {
            return performAndReport(own);
        } finally {
            hooks.releaseEnded(lease);
        }
    }

    private ReleaseOutcome performAndReport(CompletableFuture<ReleaseOutcome> own) {
        long started = context.clock.nanos();
        ReleaseOutcome known = unanswered ? null : known();
        try {
            ReleaseOutcome outcome = settle(own, known);
            if (known == null) {
                context.listener.onReleased(lease, outcome, Duration.ofNanos(context.clock.nanos() - started));
            }
            return outcome;
        } catch (LockStoreException failure) {
            LOG.warn(
                    "Lock '{}' was not released and stays taken until its lease expires: {}",
                    grant.name(),
                    failure.getMessage());
            context.listener.onReleaseFailed(lease, failure, Duration.ofNanos(context.clock.nanos() - started));
            throw failure;
        }
    }

    /** Completes the future before any listener is called, since a listener may release the lease once more. */
    private ReleaseOutcome settle(CompletableFuture<ReleaseOutcome> own, @Nullable ReleaseOutcome known) {
        try {
            ReleaseOutcome outcome = release(known);
            own.complete(outcome);
            return outcome;
        } catch (RuntimeException | Error failure) {
            performed.set(null);
            own.completeExceptionally(failure);
            throw failure;
        }
    }

    /** Returns the loss that only the refusal of the release has shown: before its end, nobody else may have had the lock. */
    @Nullable
    LeaseLost foundLoss() {
        return foundLoss;
    }

    private ReleaseOutcome outcomeOf(CompletableFuture<ReleaseOutcome> performed) {
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

    private ReleaseOutcome release(@Nullable ReleaseOutcome known) {
        if (!end.getAsBoolean()) {
            throw new IllegalStateException("The lease on lock '%s' is detached".formatted(grant.name()));
        }
        try {
            return known == null ? send() : known;
        } finally {
            renewal.awaitNone();
        }
    }

    /** Returns the outcome that follows from a known loss, so that no request is needed; null if none does. */
    private @Nullable ReleaseOutcome known() {
        LeaseLost loss = status.loss();
        if (loss == null) {
            return null;
        }
        return switch (loss.reason()) {
            case TAKEN -> ReleaseOutcome.NOT_OWNED;
            case DELETED -> ReleaseOutcome.ALREADY_GONE;
            default -> null;
        };
    }

    private ReleaseOutcome send() {
        Release write = grant.release(context.clock.now(), isLost(), context.lockDelay);
        RetryBudget budget = context.client.budget(context.settings.callTimeoutFor(grant.lease()));
        Duration timeout = context.settings.attemptTimeoutFor(grant.lease());
        status.releaseSent();
        Answer answer;
        try {
            answer = context.client.withRetries(
                    grant.name(),
                    Operation.RELEASE,
                    budget,
                    timeout,
                    timeouts -> context.client.release(grant.name(), Operation.RELEASE, write, timeouts));
        } finally {
            unanswered |= budget.anyUnanswered();
        }
        ReleaseOutcome outcome = answer.applied() || mustHaveBeenReleased(answer)
                ? ReleaseOutcome.RELEASED
                : ConditionFailures.ofRelease(grant.leaseId(), answer.row(), unanswered);
        if (outcome == ReleaseOutcome.RELEASED && write.rest() == null) {
            context.waitQueues.handOff(grant.stored());
        }
        if (outcome != ReleaseOutcome.RELEASED && !status.isPastItsEnd()) {
            ConditionFailures.Renewal.Gone gone = ConditionFailures.gone(grant.leaseId(), answer.row());
            foundLoss = status.lossNow(gone.reason(), gone.newHolder());
        }
        return outcome;
    }

    /**
     * Whether an earlier attempt of this release must have freed the row. Before the end of this lease, another process can
     * acquire the lock only if an unanswered release was applied. A lease whose detach failed counts, too, as nobody has its token.
     */
    private boolean mustHaveBeenReleased(Answer refusal) {
        return unanswered && refusal.row() != null && !status.isPastItsEnd();
    }

    /**
     * Whether the lease was lost. A lease that ended because the manager was closed does not count as lost, so that its
     * minimum hold time still applies.
     */
    private boolean isLost() {
        LeaseLost loss = status.loss();
        return loss != null && loss.reason() != Reason.CLOSED;
    }
}
