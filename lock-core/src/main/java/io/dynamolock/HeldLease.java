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

    private final EngineContext engine;
    private final LeaseGrant grant;
    private final LeaseValidity term;
    private final Heartbeat heartbeat;
    private final LeaseRenewal renewal;
    private final LeaseLossHandler loss;
    private final RiskNotification risk;
    private final LeaseRelease release;
    private final LeaseCheck check;
    private final LeakDetector leakAlarm;
    private final LeasedThreads workers = new LeasedThreads();

    /** Creates a lease; {@link #begin(Runnable)} starts its heartbeat. */
    HeldLease(EngineContext engine, LeaseGrant grant, @Nullable Thread holder) {
        this.engine = engine;
        this.grant = grant;
        this.term = new LeaseValidity(grant.end());
        this.heartbeat = new Heartbeat(engine, this, grant.lease());
        this.loss = new LeaseLossHandler(engine, this, grant);
        this.risk = new RiskNotification(engine, this, term);
        this.renewal = new LeaseRenewal(engine, this, grant, term, loss, risk);
        this.release = new LeaseRelease(engine, this, grant, renewal);
        this.check = new LeaseCheck(engine, this, grant, loss);
        this.leakAlarm = new LeakDetector(engine, this, holder);
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
            engine.held.add(this);
            heartbeat.start(grant.autoRenew());
            leakAlarm.set();
            begun = !engine.isClosed();
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
        return engine.store;
    }

    @Override
    public Instant expiresAt() {
        synchronized (term) {
            return term.end().asInstant();
        }
    }

    @Override
    public Duration remaining() {
        ClockReading now = engine.clock.now();
        synchronized (term) {
            return term.isHeldAt(now) ? term.end().remaining(now) : Duration.ZERO;
        }
    }

    @Override
    public boolean isHeld() {
        return state().isOurs();
    }

    @Override
    public LeaseState state() {
        ClockReading now = engine.clock.now();
        synchronized (term) {
            return term.stateAt(now);
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
        synchronized (term) {
            return term.end().nanos();
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
    boolean isAtItsLastEnd() {
        return holdsNoLongerThan(endNanos() - engine.clock.nanos());
    }

    /** Whether the longest time it may be held is over. */
    boolean hasReachedMaxHold() {
        return holdsNoLongerThan(0);
    }

    /** What an end allows for drift is not worth a renewal. */
    private boolean holdsNoLongerThan(long nanos) {
        Duration left = grant.leftToHold(engine.clock.nanos());
        long allowedFor = Drift.within(Durations.nanos(renewal.duration())) + 1_000_000;
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
        boolean renewed = renewal.renew(leaseDuration, () -> heartbeat.follow(leaseDuration));
        ensureHeld();
        if (!renewed) {
            throw lostException();
        }
        return expiresAt();
    }

    /** Renews once for the heartbeat. Never throws. Returns whether the next beat is a regular one. */
    boolean beat() {
        if (isOver()) {
            loss.ranOut();
            return true;
        }
        return renewal.beat();
    }

    // loss

    void ranOut() {
        loss.ranOut();
    }

    @Nullable
    LeaseLost loss() {
        return loss.known();
    }

    /** Ends it as lost, unless it was lost or released before. */
    void lose(Reason reason, @Nullable String newHolder) {
        LeaseLost news;
        Instant at = Instant.ofEpochMilli(engine.clock.now().wallMillis());
        synchronized (term) {
            if (loss.known() != null || !term.lose()) {
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
        return AsyncClose.of(engine, this);
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
        synchronized (term) {
            return term.isGivenBack();
        }
    }

    boolean isPastItsEnd() {
        ClockReading now = engine.clock.now();
        synchronized (term) {
            return term.end().isPast(now);
        }
    }

    boolean isPastItsEndBy(Duration time) {
        ClockReading now = engine.clock.now();
        synchronized (term) {
            return term.end().isPastBy(now, time);
        }
    }

    /** From now on it is not held; false if it was handed out as text, so that it is not this process's to give back. */
    boolean giveBack() {
        ClockReading now = engine.clock.now();
        synchronized (term) {
            if (!term.giveBack(now)) {
                return false;
            }
        }
        end();
        return true;
    }

    private void end() {
        heartbeat.stop();
        leakAlarm.cancel();
        engine.held.remove(this);
    }

    /** Held by nobody from now on: what marks the row may be applied, and another process resume it, before an answer arrives. */
    @Override
    public LeaseToken detach() {
        ClockReading now = engine.clock.now();
        synchronized (term) {
            LeaseState state = term.stateAt(now);
            if (state != LeaseState.DETACHED || term.isHandedOut()) {
                requireOurs(state);
            }
            term.detach();
        }
        end();
        renewal.awaitNone();
        renewal.mark();
        synchronized (term) {
            term.handOut();
        }
        return LeaseToken.of(engine.gate.describe(), grant.stored(), id(), engine.tokenKey);
    }

    private boolean isHandedOut() {
        synchronized (term) {
            return term.isHandedOut();
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
