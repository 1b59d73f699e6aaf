/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.time.InFlightRequests;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lease of this process: creates its parts, which share the {@link LeaseStatus}, and delegates to them. Requests are
 * sent outside the monitor of the validity.
 */
final class HeldLease implements GrantedLease {

    /** Informs the manager of the leases that it holds. */
    interface Hooks extends AsyncClose.Hooks {

        /** Returns why no lease may begin; null if leases may. */
        @Nullable
        RuntimeException rejection();

        int heldLeases();

        void leaseBegun(HeldLease lease);

        /** Called when a lease is released, detached or lost. */
        void leaseEnded(HeldLease lease);
    }

    private final EngineContext context;
    private final Hooks hooks;
    private final LeaseGrant grant;
    private final LeaseStatus status;
    private final LeaseLossHandler loss;
    private final RiskNotification risk;
    private final LeaseRenewal renewal;
    private final Heartbeat heartbeat;
    private final LeaseRelease release;
    private final LeaseDetachment detachment;
    private final LeaseCheck check;
    private final LeakDetector leakDetector;
    private final LeasedThreads workers = new LeasedThreads();
    volatile ReentrantHolds.@Nullable Hold hold; // if a reentrant request has acquired it

    /** Creates a lease; {@link #begin} starts its heartbeat. */
    HeldLease(
            EngineContext context,
            Hooks hooks,
            ShutdownOnLoss shutdownOnLoss,
            LeaseGrant grant,
            @Nullable Thread holder) {
        this.context = context;
        this.hooks = hooks;
        this.grant = grant;
        this.status = new LeaseStatus(grant, context.clock, new InFlightRequests(context.scheduler::parker));
        this.loss = new LeaseLossHandler(context, this, status, workers, shutdownOnLoss);
        this.risk = new RiskNotification(context, this, status.validity);
        this.renewal = new LeaseRenewal(context, this, status, loss, risk);
        this.heartbeat = new Heartbeat(context, hooks, status, renewal, loss);
        this.release = new LeaseRelease(context, hooks, this, status, renewal, loss);
        this.detachment = new LeaseDetachment(context, hooks, this, status, renewal);
        this.check = new LeaseCheck(context, status, loss);
        this.leakDetector = new LeakDetector(context, this, holder);
    }

    /**
     * Starts the heartbeat.
     *
     * @param now a recent reading of the clock
     * @param undo runs if the lease cannot be kept
     * @return false if the manager rejects leases in the meantime, so that the lease is not held
     */
    boolean begin(ClockReading now, Runnable undo) {
        boolean begun = false;
        try {
            hooks.leaseBegun(this);
            heartbeat.start(grant.autoRenew(), now);
            leakDetector.start();
            begun = hooks.rejection() == null;
        } finally {
            if (!begun) {
                markReleased(context.clock.now());
                undo.run();
            }
        }
        return begun;
    }

    /** Ends the lease as released; returns false if it was handed out as a token, so that it must not be released. */
    boolean markReleased(ClockReading now) {
        if (!status.release(now)) {
            return false;
        }
        end();
        return true;
    }

    /** Ends what goes on for a lease until it is released, detached or lost: above all its heartbeat. */
    void end() {
        heartbeat.stop();
        leakDetector.cancel();
        hooks.leaseEnded(this);
    }

    // state

    @Override
    public LeaseGrant grant() {
        return grant;
    }

    LeaseStatus status() {
        return status;
    }

    @Override
    public LockStore store() {
        return context.store;
    }

    @Override
    public Instant expiresAt() {
        return status.expiresAt();
    }

    @Override
    public Duration remaining() {
        return status.remaining();
    }

    @Override
    public boolean isHeld() {
        return !status.isOver();
    }

    @Override
    public LeaseState state() {
        return status.state();
    }

    @Override
    public void ensureHeld() {
        status.ensureHeld();
    }

    @Override
    public Duration age() {
        return grant.heldFor(context.clock.nanos());
    }

    @Override
    public boolean verify() {
        return check.verify();
    }

    LockState snapshot() {
        return new LockState(
                name(),
                LockState.Status.HELD,
                owner(),
                id(),
                fencingToken(),
                acquiredAt(),
                expiresAt(),
                metadata(),
                null);
    }

    // renewal

    Heartbeat heartbeat() {
        return heartbeat;
    }

    @Override
    public Instant renew() {
        return renewFor(grant.leaseDuration());
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
            throw status.lostException();
        }
        return expiresAt();
    }

    // risk and loss

    @Override
    public void onAtRisk(Consumer<Lease> action) {
        var unused = risk.register(action);
    }

    @Override
    public void onLost(Consumer<LeaseLost> action) {
        var unused = loss.notice().register(action);
    }

    RiskNotification risk() {
        return risk;
    }

    LossNotification lossNotice() {
        return loss.notice();
    }

    @Override
    public CompletionStage<LeaseLost> lost() {
        return loss.notice().stage();
    }

    /** Ends the lease as lost, unless it was lost, released or detached before. */
    void lose(Reason reason) {
        loss.lose(reason, null);
    }

    /** Returns the threads at work under the lease. */
    LeasedThreads workers() {
        return workers;
    }

    // release and detach

    @Override
    public void markFailed() {
        status.markFailed();
    }

    @Override
    public ReleaseOutcome release() {
        return release.perform();
    }

    @Override
    public ReleaseOutcome release(Duration keep) {
        SettingsRules.requireKeep(keep);
        keep(keep);
        return release();
    }

    /** Lets the release leave the lock taken for a time. */
    void keep(Duration keep) {
        status.keep(keep);
    }

    @Override
    public void close() {
        if (status.isHandedOut() || status.isLeftToExpire()) {
            return;
        }
        try {
            release();
        } catch (IllegalStateException rejected) {
            if (!status.isHandedOut()) { // by another thread, meanwhile
                throw rejected;
            }
        }
    }

    @Override
    public void markUnused() {
        status.markUnused();
    }

    @Override
    public CompletionStage<Void> closeAsync() {
        return AsyncClose.of(context, hooks, this, status);
    }

    @Override
    public LeaseToken detach() {
        return detachment.perform();
    }

    @Override
    public String toString() {
        return toString(state());
    }

    /** Returns this text with the state of a handle. */
    String toString(LeaseState shown) {
        return "Lease[%s, token %s, %s]".formatted(name(), fencingToken(), shown);
    }
}
