/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseLost.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One lease in this process: asks its {@link LeaseValidity} what to believe, and sends what the term, the heartbeat or the holder
 * wants sent. Requests run outside of the term's monitor.
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
    private final LeakDetector leakAlarm;
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
        this.leakAlarm = new LeakDetector(context, this, holder);
    }

    /**
     * Begins to keep it.
     *
     * @param undo what else to do if it cannot be kept
     * @return false if the manager has closed meanwhile: it is not held then
     */
    boolean begin(Runnable undo) {
        boolean begun = false;
        try {
            context.held.add(this);
            heartbeat.start(grant.autoRenew());
            leakAlarm.start();
            begun = !context.isClosed();
        } finally {
            if (!begun) {
                giveBack();
                undo.run();
            }
        }
        return begun;
    }

    // what it tells

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

    /** Whether a renewal that should have succeeded by now has failed or is still under way. */
    boolean isRenewalMissing() {
        return state() == LeaseState.AT_RISK || isBeingRenewed();
    }

    /** Whether a renewal is under way. */
    boolean isBeingRenewed() {
        return renewal.isUnderWay();
    }

    /** Whether it lasts as long as it may, so that no renewal can give it more. */
    boolean reachedMaxHold() {
        return holdsNoLongerThan(endNanos() - context.clock.nanos());
    }

    /** Whether the longest time it may be held is over. */
    boolean hasReachedMaxHold() {
        return holdsNoLongerThan(0);
    }

    /** What an end allows for drift is not worth a renewal. */
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

    /** A beat is overdue that has not been sent. */
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

    /** Renews once for the heartbeat. Never throws. Returns whether the next beat is a regular one. */
    boolean beat() {
        if (isOver()) {
            loss.onExpired();
            return true;
        }
        return renewal.beat();
    }

    // loss

    void onExpired() {
        loss.onExpired();
    }

    @Nullable
    LeaseLost loss() {
        return loss.known();
    }

    /** Ends it as lost, unless it was lost or released before. */
    void lose(Reason reason, @Nullable String newHolder) {
        LeaseLost news;
        Instant at = Instant.ofEpochMilli(context.clock.now().wallMillis());
        synchronized (validity) {
            if (loss.known() != null || !validity.lose()) {
                return;
            }
            news = loss.because(reason, at, newHolder);
        }
        end();
        loss.tell(news);
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

    // the end

    @Override
    public ReleaseOutcome release() {
        return release.perform();
    }

    @Override
    public void close() {
        if (!isHandedOut() && !isClosedAway()) {
            release();
        }
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return AsyncClose.of(context, this);
    }

    /** Whether the manager was closed under it: it runs out by itself. */
    boolean isClosedAway() {
        LeaseLost known = loss.known();
        return known != null && known.reason() == Reason.CLOSED;
    }

    /** Whether the row may have been freed by its own release. */
    boolean isReleaseSent() {
        return release.isSent();
    }

    boolean isGivenBack() {
        synchronized (validity) {
            return validity.isGivenBack();
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

    /** From now on it is not held; false if it was handed out as text, so that it is not this process's to give back. */
    boolean giveBack() {
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
        leakAlarm.cancel();
        context.held.remove(this);
    }

    /** Held by nobody from now on: what marks the row may be applied, and another process resume it, before an answer arrives. */
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

    // work under it

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
