/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import io.dynamolock.time.RecoverySchedule;
import io.dynamolock.time.RenewalPlan;
import io.dynamolock.time.Scheduler;
import java.time.Duration;
import java.util.function.IntSupplier;

/**
 * Renews one lease periodically, and detects its expiry. A failed renewal, whatever it throws, is retried as long as the
 * lease lasts. Renewals run in the order of the leases' ends on a bounded thread pool, part of which is reserved from
 * retries, so that locks whose requests hang do not delay other locks.
 */
final class Heartbeat {

    /** A lease with a failed, late or unanswered renewal is reported as lost this long before its end, not after it. */
    static final Duration MARGIN = Duration.ofMillis(50);

    private static final long NO_THREAD_RETRY_NANOS = 100_000_000;

    private final EngineContext context;
    private final LeaseStatus status;
    private final LeaseRenewal renewal;
    private final LeaseLossHandler loss;
    private final IntSupplier heldLeases;

    private volatile RenewalPlan plan;
    private volatile Duration margin;

    private volatile boolean stopped;
    private volatile boolean renews;
    private volatile boolean watching;
    private volatile boolean renewing;
    private volatile long renewalNanos;
    private volatile long dueSinceNanos;

    /** The latest time to which the regular renewal can be postponed; fixed when the renewal is planned. */
    private volatile long latestNanos;

    /** Whether this renewal was postponed. Each is postponed at most once, however often the store fails and recovers. */
    private volatile boolean postponed;

    /** Whether no renewal is planned, as none could extend the lease beyond its maximum hold time. */
    private volatile boolean idle;

    private volatile long watchNanos;
    private volatile Scheduler.Scheduled renewalTimer = () -> {};
    private volatile Scheduler.Scheduled expiryTimer = () -> {};
    private volatile int failures;

    /**
     * Creates a heartbeat that has not begun.
     *
     * @param heldLeases returns how many leases the manager holds
     */
    Heartbeat(
            EngineContext context,
            LeaseStatus status,
            LeaseRenewal renewal,
            LeaseLossHandler loss,
            IntSupplier heldLeases) {
        Duration duration = status.grant.lease();
        this.context = context;
        this.status = status;
        this.renewal = renewal;
        this.loss = loss;
        this.heldLeases = heldLeases;
        this.plan = planFor(context, duration);
        this.margin = marginFor(duration);
    }

    private static RenewalPlan planFor(EngineContext context, Duration duration) {
        return new RenewalPlan(context.settings.heartbeatIntervalFor(duration), context.random);
    }

    private static Duration marginFor(Duration duration) {
        return Durations.min(MARGIN, Durations.part(duration, 20));
    }

    void start(boolean autoRenew) {
        renews = autoRenew;
        idle = renews && status.endsAtMaxHold();
        if (renews && !idle) {
            long now = context.clock.nanos();
            renewalDueAfter(now, plan.firstDelayNanos(status.endNanos() - now));
        } else {
            watchEnd();
        }
    }

    /** Adapts the schedule to a new lease duration. */
    void onDurationChanged(Duration duration) {
        plan = planFor(context, duration);
        margin = marginFor(duration);
        long now = context.clock.nanos();
        long nextDue = now + plan.firstDelayNanos(status.endNanos() - now);
        if (renews && (idle || nextDue - renewalNanos < 0)) {
            idle = false;
            renewalTimer.cancel();
            renewalDueAt(nextDue);
        }
        if (watching && status.endNanos() - watchNanos < 0) {
            expiryTimer.cancel();
            watchAt(status.endNanos() - (renews ? margin.toNanos() : 0));
        }
    }

    boolean renews() {
        return renews;
    }

    /** Moves a renewal to its time after an outage: to a later one at most once, to an earlier one only if it is a retry. */
    void reschedule(RecoverySchedule schedule, long endNanos) {
        long slot = schedule.nextNanos(plan.interval(), endNanos);
        long nanos = failures == 0 && latestNanos - slot < 0 ? latestNanos : slot;
        boolean later = renewalNanos - nanos < 0;
        boolean moves = later ? !postponed : failures > 0;
        if (!renewing && !stopped && !status.endsAtMaxHold() && moves) {
            renewalTimer.cancel();
            scheduleRenewalAt(nanos);
            postponed = later || postponed;
        }
    }

    /** Stops the heartbeat: no renewal starts from now on. */
    void stop() {
        stopped = true;
        renewalTimer.cancel();
        expiryTimer.cancel();
    }

    /** Returns how long ago the renewal that has not succeeded yet was due; zero if it is not due, or if none is planned. */
    Duration lag() {
        boolean none = stopped || idle || !renews;
        return none ? Duration.ZERO : Duration.ofNanos(Math.max(0, context.clock.nanos() - dueSinceNanos));
    }

    private void renewalDueAfter(long nanos, long delay) {
        renewalDueAt(context.clock.mostInformativeTimeAfter(nanos, delay));
    }

    private void renewalDueAt(long nanos) {
        dueSinceNanos = nanos;
        long now = context.clock.nanos();
        latestNanos = now + RenewalPlan.latestRetryNanos(status.endNanos() - now);
        scheduleRenewalAt(nanos);
    }

    private void scheduleRenewalAt(long nanos) {
        renewalNanos = nanos;
        postponed = false;
        renewalTimer = context.scheduler.schedule(nanos, () -> submitRenewal(nanos));
        if (stopped) {
            renewalTimer.cancel();
        }
    }

    /** Submits the renewal. If no thread can be started, schedules it again. */
    private void submitRenewal(long nanos) {
        try {
            watchEnd();
            if (failures == 0) {
                context.scheduler.renew(status.endNanos(), () -> renewOnce(nanos));
            } else {
                context.scheduler.retryRenewal(status.endNanos(), () -> renewOnce(nanos));
            }
        } catch (Throwable noThread) {
            scheduleRenewalAt(context.clock.nanos() + NO_THREAD_RETRY_NANOS);
            throw noThread;
        }
    }

    private void renewOnce(long dueNanos) {
        if (stopped || renewing || dueNanos != renewalNanos) {
            return;
        }
        long started = context.clock.nanos();
        boolean regular = false;
        renewing = true;
        try {
            context.listener.onHeartbeatLag(
                    Duration.ofNanos(Math.max(0, started - (failures == 0 ? dueSinceNanos : dueNanos))));
            regular = renewOrExpire();
        } finally { // also if handling a failure fails
            failures = regular ? 0 : failures + 1;
            renewing = false;
            planNext(started);
        }
    }

    /** Renews once, or reports the expiry. Never throws. Returns whether the next renewal is a regular one, not a retry. */
    private boolean renewOrExpire() {
        if (status.isOver()) {
            loss.onExpired();
            return true;
        }
        return renewal.renewOnce();
    }

    private void planNext(long started) {
        idle = status.endsAtMaxHold();
        if (stopped || idle) {
            return;
        }
        if (failures == 0) {
            renewalDueAfter(started, plan.nextDelayNanos());
        } else {
            scheduleRenewalAt(context.clock.nanos() + retryDelayNanos());
        }
    }

    private long retryDelayNanos() {
        return context.availability.isDown()
                ? plan.probeDelayNanos(heldLeases.getAsInt())
                : plan.retryDelayNanos(failures, status.endNanos() - context.clock.nanos());
    }

    /** Schedules the expiry check. Not called before the first renewal is due, as most leases are released earlier. */
    private void watchEnd() {
        if (!watching) {
            watchAt(status.endNanos() - (renews ? margin.toNanos() : 0));
            watching = true;
        }
    }

    private void watchAt(long nanos) {
        watchNanos = nanos;
        expiryTimer = context.scheduler.schedule(nanos, this::watch);
        if (stopped) {
            expiryTimer.cancel();
        }
    }

    /** Checks for expiry near the end that the lease had when this was scheduled. */
    private void watch() {
        if (stopped) {
            return;
        }
        long end = status.endNanos();
        long now = context.clock.nanos();
        if (status.isOver() || end - now <= 0) {
            loss.onExpired();
        } else if (end - now > margin.toNanos()) {
            watchAt(end - margin.toNanos());
        } else if (isOverdue(now) || status.isRenewalMissing()) {
            loss.onExpired();
        } else {
            watchAt(end);
        }
    }

    /**
     * Whether a renewal is overdue but not in flight, as it waits for a thread while all threads wait for an unreachable
     * store. If so, reports it as missed.
     */
    private boolean isOverdue(long now) {
        boolean overdue = renews && !renewing && renewalNanos - now < 0 && !status.endsAtMaxHold();
        if (overdue) {
            renewal.missed();
        }
        return overdue;
    }
}
