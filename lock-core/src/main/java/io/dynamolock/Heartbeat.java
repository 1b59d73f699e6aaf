/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import io.dynamolock.time.RecoverySchedule;
import io.dynamolock.time.RenewalPlan;
import io.dynamolock.time.RenewalSchedule;
import io.dynamolock.time.Scheduler;
import java.time.Duration;

/**
 * Renews one lease periodically, and detects its expiry. A failed renewal, whatever it throws, is retried as long as
 * the lease lasts. Renewals run in the order of the leases' ends on a bounded thread pool, part of which is reserved
 * from retries, so that locks whose requests hang do not delay other locks.
 */
final class Heartbeat {

    /** A lease with a failed, late or unanswered renewal is reported as lost this long before its end, not after it. */
    static final Duration MARGIN = Duration.ofMillis(50);

    private static final long NO_THREAD_RETRY_NANOS = 100_000_000;

    private final EngineContext context;
    private final LeaseStatus status;
    private final LeaseRenewal renewal;
    private final LeaseLossHandler loss;
    private final HeldLease.Hooks hooks;

    private final RenewalSchedule schedule;
    private volatile Scheduler.Scheduled renewalTimer = Scheduler.Scheduled.NONE;
    private volatile Scheduler.Scheduled expiryTimer = Scheduler.Scheduled.NONE;

    /** Creates a heartbeat that has not begun. */
    Heartbeat(
            EngineContext context,
            HeldLease.Hooks hooks,
            LeaseStatus status,
            LeaseRenewal renewal,
            LeaseLossHandler loss) {
        Duration duration = status.grant.leaseDuration();
        this.context = context;
        this.status = status;
        this.renewal = renewal;
        this.loss = loss;
        this.hooks = hooks;
        this.schedule = new RenewalSchedule(planFor(duration), marginFor(duration));
    }

    private RenewalPlan planFor(Duration duration) {
        return new RenewalPlan(context.settings.heartbeatIntervalFor(duration), context.random);
    }

    private static Duration marginFor(Duration duration) {
        return Durations.min(MARGIN, Durations.part(duration, 20));
    }

    void start(boolean autoRenew, ClockReading now) {
        if (schedule.begin(autoRenew, autoRenew && status.endsAtMaxHold())) {
            long nanos = now.nanos();
            long delay = schedule.firstDelayNanos(status.endNanos() - nanos);
            renewAt(context.clock.mostInformativeTimeAfter(now, nanos, delay), nanos);
        } else {
            ensureExpiryCheck();
        }
    }

    /** Adapts the schedule to a new lease duration. */
    void onDurationChanged(Duration duration) {
        schedule.change(planFor(duration), marginFor(duration));
        renewEarlier();
        checkExpiryInTime();
    }

    /** Moves the renewal to the time for a first one, unless it is due before. */
    private void renewEarlier() {
        Scheduler.Scheduled before = renewalTimer;
        long now = context.clock.nanos();
        long end = status.endNanos();
        long nextDue = now + schedule.firstDelayNanos(end - now);
        if (schedule.renewEarlier(nextDue, now, end)) {
            replaceTimer(before, nextDue);
        }
    }

    boolean renews() {
        return schedule.renews();
    }

    /** Moves the renewal to its time after an outage. */
    void reschedule(RecoverySchedule recovery, long endNanos) {
        Scheduler.Scheduled before = renewalTimer;
        long slot = recovery.nextNanos(schedule.interval(), endNanos);
        Long moved = schedule.isMovable() && !status.endsAtMaxHold() ? schedule.moveTo(slot) : null;
        if (moved != null) {
            replaceTimer(before, moved);
            renewInTime();
        }
    }

    /** Stops the heartbeat: no renewal starts from now on. */
    void stop() {
        schedule.stop();
        renewalTimer.cancel();
        expiryTimer.cancel();
    }

    /**
     * Returns how long ago the renewal that has not succeeded yet was due; zero if it is not due, or if none is
     * planned.
     */
    Duration lag() {
        return schedule.isAtRest() ? Duration.ZERO : Duration.ofNanos(schedule.lagNanos(context.clock.nanos()));
    }

    private void renewAt(long nanos, long now) {
        schedule.renewAt(nanos, now, status.endNanos());
        setRenewalTimer(nanos);
    }

    private void retryAt(long nanos) {
        schedule.retryAt(nanos);
        setRenewalTimer(nanos);
    }

    /** Replaces the timer that was set before the renewal was moved, but none that another thread has set since. */
    private void replaceTimer(Scheduler.Scheduled before, long nanos) {
        setRenewalTimer(nanos);
        before.cancel();
    }

    private void setRenewalTimer(long nanos) {
        renewalTimer = context.scheduler.schedule(nanos, () -> submitRenewal(nanos));
        if (schedule.isStopped()) {
            renewalTimer.cancel();
        }
    }

    /** Submits the renewal. If no thread can be started, schedules it again. */
    private void submitRenewal(long nanos) {
        try {
            ensureExpiryCheck();
            if (schedule.isRetry()) {
                context.scheduler.retryRenewal(status.endNanos(), () -> renewOnce(nanos));
            } else {
                context.scheduler.renew(status.endNanos(), () -> renewOnce(nanos));
            }
        } catch (Throwable noThread) {
            retryAt(context.clock.nanos() + NO_THREAD_RETRY_NANOS);
            throw noThread;
        }
    }

    private void renewOnce(long plannedNanos) {
        if (!schedule.beginRenewal(plannedNanos)) {
            return;
        }
        long started = context.clock.nanos();
        boolean regular = false;
        try {
            context.listener.onHeartbeatLag(Duration.ofNanos(schedule.delayNanos(plannedNanos, started)));
            regular = renewOrExpire();
        } finally { // also if handling a failure fails
            schedule.endRenewal(regular);
            planNext(started);
        }
    }

    /**
     * Renews once, or reports the expiry. Never throws. Returns whether the next renewal is a regular one, not a retry.
     */
    private boolean renewOrExpire() {
        if (status.isOver()) {
            loss.onExpired();
            return true;
        }
        return renewal.renewOnce();
    }

    private void planNext(long started) {
        if (schedule.continues(status.endsAtMaxHold())) {
            planRenewal(started);
        }
        renewInTime();
    }

    /** Moves the renewal if the holder has shortened the lease while it was planned. */
    private void renewInTime() {
        if (schedule.renewsTooLate(context.clock.nanos(), status.endNanos(), status.endsAtMaxHold())) {
            renewEarlier();
        }
    }

    private void planRenewal(long started) {
        if (schedule.isRetry()) {
            retryAt(context.clock.nanos() + retryDelayNanos());
        } else {
            ClockReading now = context.clock.machine();
            long delay = schedule.nextDelayNanos(status.endNanos() - now.nanos());
            renewAt(context.clock.mostInformativeTimeAfter(now, started, delay), now.nanos());
        }
    }

    private long retryDelayNanos() {
        long remaining = status.endNanos() - context.clock.nanos();
        return context.availability.isDown()
                ? schedule.probeDelayNanos(hooks.heldLeases(), remaining)
                : schedule.retryDelayNanos(remaining);
    }

    private void ensureExpiryCheck() {
        if (!schedule.checksExpiry()) {
            checkExpiryAt(schedule.firstExpiryCheckNanos(status.endNanos()));
            schedule.beginExpiryChecks(); // now: if no thread can be started for the timer, the next call tries again
            checkExpiryInTime();
        }
    }

    /** Moves the check of the expiry if the holder has shortened the lease while it was planned, or shortens it now. */
    private void checkExpiryInTime() {
        if (schedule.checksExpiryTooLate(status.endNanos())) {
            expiryTimer.cancel();
            checkExpiryAt(schedule.firstExpiryCheckNanos(status.endNanos()));
        }
    }

    private void checkExpiryAgainAt(long nanos) {
        checkExpiryAt(nanos);
        checkExpiryInTime();
    }

    private void checkExpiryAt(long nanos) {
        schedule.checkExpiryAt(nanos);
        expiryTimer = context.scheduler.schedule(nanos, this::checkExpiry);
        if (schedule.isStopped()) {
            expiryTimer.cancel();
        }
    }

    /** Checks for expiry near the end that the lease had when this was scheduled. */
    private void checkExpiry() {
        if (schedule.isStopped()) {
            return;
        }
        long now = context.clock.nanos(); // before the end, which a renewal may raise meanwhile
        long end = status.endNanos();
        Long later = schedule.nextExpiryCheckNanos(now, end);
        if (status.isOver()) {
            loss.onExpired();
        } else if (later != null) {
            checkExpiryAgainAt(later);
        } else if (isRenewalMissing(now) && expire(end)) {
            loss.onExpired();
        } else {
            checkExpiryAgainAt(end);
        }
    }

    /** Ends the lease before its end; returns false if a renewal has raised that meanwhile. */
    private boolean expire(long endNanos) {
        synchronized (status.validity) {
            return status.validity.expire(endNanos);
        }
    }

    /**
     * Whether a renewal that could extend the lease should have succeeded by now. One that has failed is the reason of
     * a loss: if another one waits for a thread, that is its consequence.
     */
    private boolean isRenewalMissing(long now) {
        return !status.endsAtMaxHold() && (status.isRenewalMissing() || reportIfOverdue(now));
    }

    /**
     * Reports a renewal as missed if it is overdue but not in flight, as it waits for a thread while all threads wait
     * for an unreachable store; returns whether it is.
     */
    private boolean reportIfOverdue(long now) {
        boolean overdue = schedule.isOverdue(now);
        if (overdue) {
            renewal.missed();
        }
        return overdue;
    }
}
