/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.time.Drift;
import io.dynamolock.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease of this process. Its {@link LeaseValidity} decides whether it is held; renewals, losses and the release are
 * delegated. Requests are sent outside the monitor of the validity.
 */
final class HeldLease implements GrantedLease {

    private final EngineContext context;
    private final LeaseGrant grant;
    private final LeaseValidity validity;
    private final Heartbeat heartbeat;
    private final LeaseRenewal renewal;
    private final LeaseLossHandler loss;
    private final RiskNotification risk;
    private final LeaseRelease release;
    private final LeaseCheck check;
    private final LeakDetector leakDetector;
    private final LeasedThreads workers = new LeasedThreads();

    /** Creates a lease; {@link #begin(Runnable)} starts its heartbeat. */
    HeldLease(EngineContext context, LeaseGrant grant, @Nullable Thread holder) {
        this.context = context;
        this.grant = grant;
        this.validity = new LeaseValidity(grant.end());
        this.heartbeat = new Heartbeat(context, this, grant.lease());
        this.loss = new LeaseLossHandler(context, this, grant);
        this.risk = new RiskNotification(context, this, validity);
        this.renewal = new LeaseRenewal(context, this, grant, validity, loss, risk);
        this.release = new LeaseRelease(context, this, grant, renewal);
        this.check = new LeaseCheck(context, this, grant, loss);
        this.leakDetector = new LeakDetector(context, this, holder);
    }

    /**
     * Starts the heartbeat.
     *
     * @param undo runs if the lease cannot be kept
     * @return false if the manager was closed in the meantime, so that the lease is not held
     */
    boolean begin(Runnable undo) {
        boolean begun = false;
        try {
            context.held.add(this);
            heartbeat.start(grant.autoRenew());
            leakDetector.start();
            begun = !context.isClosed();
        } finally {
            if (!begun) {
                markReleased();
                undo.run();
            }
        }
        return begun;
    }

    // state

    @Override
    public LeaseGrant grant() {
        return grant;
    }

    @Override
    public LockStore store() {
        return context.store;
    }

    @Override
    public Instant expiresAt() {
        synchronized (validity) {
            return validity.end().asInstant();
        }
    }

    @Override
    public Duration remaining() {
        ClockReading now = context.clock.now();
        synchronized (validity) {
            return validity.isHeldAt(now) ? validity.end().remaining(now) : Duration.ZERO;
        }
    }

    @Override
    public boolean isHeld() {
        return state().isOurs();
    }

    @Override
    public LeaseState state() {
        ClockReading now = context.clock.now();
        synchronized (validity) {
            return validity.stateAt(now);
        }
    }

    @Override
    public void ensureHeld() {
        requireOurs(state());
    }

    private void requireOurs(LeaseState state) {
        if (state == LeaseState.LOST) {
            throw lostException();
        }
        if (!state.isOurs()) {
            throw new IllegalStateException("The lease on lock '%s' is %s".formatted(name(), state));
        }
    }

    LeaseLostException lostException() {
        return new LeaseLostException(name(), owner(), loss.known());
    }

    long endNanos() {
        synchronized (validity) {
            return validity.end().nanos();
        }
    }

    boolean isOver() {
        return !isHeld();
    }

    /** Whether a renewal that should have succeeded by now has failed or is still in flight. */
    boolean isRenewalMissing() {
        return state() == LeaseState.AT_RISK || isBeingRenewed();
    }

    /** Whether a renewal is in flight. */
    boolean isBeingRenewed() {
        return renewal.isInFlight();
    }

    /** Whether the lease already lasts until its maximum hold time ends, so that no renewal can extend it. */
    boolean endsAtMaxHold() {
        return holdsNoLongerThan(endNanos() - context.clock.nanos());
    }

    /** Whether the maximum hold time has passed. */
    boolean hasReachedMaxHold() {
        return holdsNoLongerThan(0);
    }

    /** Ignores a remainder no longer than the drift allowance, as it is not worth a renewal. */
    private boolean holdsNoLongerThan(long nanos) {
        Duration left = grant.remainingMaxHold(context.clock.nanos());
        long allowedFor = Drift.allowance(Durations.nanos(renewal.duration())) + 1_000_000;
        return left != null && Durations.nanos(left) <= nanos + allowedFor;
    }

    @Override
    public boolean verify() {
        return check.verify(renewal.duration());
    }

    // renewal

    Heartbeat heartbeat() {
        return heartbeat;
    }

    /** Reports a renewal that is overdue but has not been sent. */
    void missed() {
        renewal.missed();
    }

    @Override
    public Instant renew() {
        return renewFor(grant.lease());
    }

    @Override
    public Instant renew(Duration leaseDuration) {
        renewal.requireAllowed(Objects.requireNonNull(leaseDuration, "leaseDuration"));
        return renewFor(leaseDuration);
    }

    private Instant renewFor(Duration leaseDuration) {
        boolean renewed = renewal.renew(leaseDuration, () -> heartbeat.onDurationChanged(leaseDuration));
        ensureHeld();
        if (!renewed) {
            throw lostException();
        }
        return expiresAt();
    }

    /**
     * Renews once for the heartbeat, or reports the expiry. Never throws. Returns whether the next renewal is a regular
     * one, not a retry.
     */
    boolean renewOnce() {
        if (isOver()) {
            loss.onExpired();
            return true;
        }
        return renewal.renewOnce();
    }

    // loss

    void onExpired() {
        loss.onExpired();
    }

    @Nullable
    LeaseLost loss() {
        return loss.known();
    }

    /** Ends the lease as lost, unless it was lost, released or detached before. */
    void lose(Reason reason, @Nullable String newHolder) {
        LeaseLost lost;
        Instant at = Instant.ofEpochMilli(context.clock.now().wallMillis());
        synchronized (validity) {
            if (loss.known() != null || !validity.lose()) {
                return;
            }
            lost = loss.because(reason, at, newHolder);
        }
        end();
        loss.report(lost);
    }

    @Override
    public void onAtRisk(Consumer<Lease> action) {
        risk.register(action);
    }

    @Override
    public void onLost(Consumer<LeaseLost> action) {
        loss.notice().register(action);
    }

    @Override
    public CompletionStage<LeaseLost> lost() {
        return loss.notice().stage();
    }

    // release and detach

    @Override
    public ReleaseOutcome release() {
        return release.perform();
    }

    @Override
    public void close() {
        if (!isHandedOut() && !wasLostByClosing()) {
            release();
        }
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return AsyncClose.of(context, this);
    }

    /** Whether the lease was lost because the manager was closed: its row is not freed, but expires. */
    boolean wasLostByClosing() {
        LeaseLost known = loss.known();
        return known != null && known.reason() == Reason.CLOSED;
    }

    /** Whether this lease's own release may have freed the row. */
    boolean isReleaseSent() {
        return release.isSent();
    }

    boolean isReleasedOrDetached() {
        synchronized (validity) {
            return validity.isReleasedOrDetached();
        }
    }

    boolean isPastItsEnd() {
        ClockReading now = context.clock.now();
        synchronized (validity) {
            return validity.end().isPast(now);
        }
    }

    boolean isPastItsEndBy(Duration time) {
        ClockReading now = context.clock.now();
        synchronized (validity) {
            return validity.end().isPastBy(now, time);
        }
    }

    /**
     * Ends the lease as released in this process. Returns false if it was handed out as a token, so that this process must
     * not release it.
     */
    boolean markReleased() {
        ClockReading now = context.clock.now();
        synchronized (validity) {
            if (!validity.release(now)) {
                return false;
            }
        }
        end();
        return true;
    }

    private void end() {
        heartbeat.stop();
        leakDetector.cancel();
        context.held.remove(this);
    }

    /**
     * Ends the lease before the row is marked: the mark may be applied, and another process may resume the lease, before the
     * response arrives.
     */
    @Override
    public LeaseToken detach() {
        ClockReading now = context.clock.now();
        synchronized (validity) {
            LeaseState state = validity.stateAt(now);
            if (state != LeaseState.DETACHED || validity.isHandedOut()) {
                requireOurs(state);
            }
            validity.detach();
        }
        end();
        renewal.awaitNone();
        renewal.mark();
        synchronized (validity) {
            validity.handOut();
        }
        return LeaseToken.of(context.client.describe(), grant.stored(), id(), context.tokenKey);
    }

    private boolean isHandedOut() {
        synchronized (validity) {
            return validity.isHandedOut();
        }
    }

    // work under the lease

    LeasedThreads workers() {
        return workers;
    }

    LockState snapshot() {
        return new LockState(
                name(), LockState.Status.HELD, owner(), id(), fencingToken(), acquiredAt(), expiresAt(), metadata());
    }

    @Override
    public String toString() {
        return "Lease[%s, token %d, %s]".formatted(name(), fencingToken(), state());
    }
}
