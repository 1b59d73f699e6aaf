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
import java.util.Comparator;
import java.util.List;

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
    private final HeldLease lease;

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

    Heartbeat(EngineContext context, HeldLease lease, Duration duration) {
        this.context = context;
        this.lease = lease;
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
        idle = renews && lease.endsAtMaxHold();
        if (renews && !idle) {
            long now = context.clock.nanos();
            renewalDueAfter(now, plan.firstDelayNanos(lease.endNanos() - now));
        } else {
            watchEnd();
        }
    }

    /** Adapts the schedule to a new lease duration. */
    void onDurationChanged(Duration duration) {
        plan = planFor(context, duration);
        margin = marginFor(duration);
        long now = context.clock.nanos();
        long nextDue = now + plan.firstDelayNanos(lease.endNanos() - now);
        if (renews && (idle || nextDue - renewalNanos < 0)) {
            idle = false;
            renewalTimer.cancel();
            renewalDueAt(nextDue);
        }
        if (watching && lease.endNanos() - watchNanos < 0) {
            expiryTimer.cancel();
            watchAt(lease.endNanos() - (renews ? margin.toNanos() : 0));
        }
    }

    /** Spreads the overdue and the next renewals of all leases over time, once the store responds again. */
    static void onStoreRecovered(EngineContext context) {
        record Renewing(Heartbeat heartbeat, long end) {}
        long now = context.clock.nanos();
        List<Renewing> all = List.copyOf(context.held).stream()
                .map(lease -> new Renewing(lease.heartbeat(), lease.endNanos() - now))
                .filter(one -> one.heartbeat.renews)
                .sorted(Comparator.comparingLong(Renewing::end))
                .toList();
        RecoverySchedule schedule = new RecoverySchedule(now, all.size());
        all.forEach(one -> one.heartbeat.reschedule(schedule.nextNanos(one.heartbeat.plan.interval(), now + one.end)));
    }

    /** Moves a renewal to another time: to a later one at most once, to an earlier one only if it is a retry. */
    private void reschedule(long slot) {
        long nanos = failures == 0 && latestNanos - slot < 0 ? latestNanos : slot;
        boolean later = renewalNanos - nanos < 0;
        boolean moves = later ? !postponed : failures > 0;
        if (!renewing && !stopped && !lease.endsAtMaxHold() && moves) {
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
        latestNanos = now + RenewalPlan.latestRetryNanos(lease.endNanos() - now);
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
                context.scheduler.renew(lease.endNanos(), () -> renewOnce(nanos));
            } else {
                context.scheduler.retryRenewal(lease.endNanos(), () -> renewOnce(nanos));
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
            regular = lease.renewOnce();
        } finally { // also if handling a failure fails
            failures = regular ? 0 : failures + 1;
            renewing = false;
            planNext(started);
        }
    }

    private void planNext(long started) {
        idle = lease.endsAtMaxHold();
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
                ? plan.probeDelayNanos(context.held.size())
                : plan.retryDelayNanos(failures, lease.endNanos() - context.clock.nanos());
    }

    /** Schedules the expiry check. Not called before the first renewal is due, as most leases are released earlier. */
    private void watchEnd() {
        if (!watching) {
            watchAt(lease.endNanos() - (renews ? margin.toNanos() : 0));
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
        long end = lease.endNanos();
        long now = context.clock.nanos();
        if (lease.isOver() || end - now <= 0) {
            lease.onExpired();
        } else if (end - now > margin.toNanos()) {
            watchAt(end - margin.toNanos());
        } else if (isOverdue(now) || lease.isRenewalMissing()) {
            lease.onExpired();
        } else {
            watchAt(end);
        }
    }

    /**
     * Whether a renewal is overdue but not in flight, as it waits for a thread while all threads wait for an unreachable
     * store. If so, reports it as missed.
     */
    private boolean isOverdue(long now) {
        boolean overdue = renews && !renewing && renewalNanos - now < 0 && !lease.endsAtMaxHold();
        if (overdue) {
            lease.missed();
        }
        return overdue;
    }
}
