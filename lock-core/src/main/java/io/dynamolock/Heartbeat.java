/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * Keeps one lease alive, and notices when it has ended. A beat that fails, whatever it throws, is followed by another as long
 * as the lease lasts. Beats run in the order of the leases' ends on a bounded pool, a part of which is kept free of retries, so
 * that locks whose requests hang do not delay the others.
 */
final class Heartbeat {

    /** A renewal that has not succeeded so shortly before the end will not: the loss is told in time rather than late. */
    static final Duration MARGIN = Duration.ofMillis(50);

    private static final long AGAIN_NANOS = 100_000_000;

    private final EngineContext context;
    private final HeldLease lease;

    private volatile RenewalPlan plan;
    private volatile Duration margin;

    private volatile boolean stopped;
    private volatile boolean renews;
    private volatile boolean watching;
    private volatile boolean beating;
    private volatile long renewalNanos;
    private volatile long dueSinceNanos;

    /** A regular beat is put off no further than this, which is fixed when it is planned. */
    private volatile long latestNanos;

    /** Each beat is put off once at most, however often the store goes away and comes back. */
    private volatile boolean isPutOff;

    private volatile boolean atRest;
    private volatile long watchNanos;
    private volatile Scheduler.Scheduled beat = () -> {};
    private volatile Scheduler.Scheduled watch = () -> {};
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

    void start(boolean renewing) {
        renews = renewing;
        atRest = renews && lease.reachedMaxHold();
        if (renews && !atRest) {
            long now = context.clock.nanos();
            renewalDueAfter(now, plan.firstDelayNanos(lease.endNanos() - now));
        } else {
            watchEnd();
        }
    }

    /** Beats as a lease of another duration needs it from now on. */
    void onDurationChanged(Duration duration) {
        plan = planFor(context, duration);
        margin = marginFor(duration);
        long now = context.clock.nanos();
        long soon = now + plan.firstDelayNanos(lease.endNanos() - now);
        if (renews && (atRest || soon - renewalNanos < 0)) {
            atRest = false;
            beat.cancel();
            renewalDueAt(soon);
        }
        if (watching && lease.endNanos() - watchNanos < 0) {
            watch.cancel();
            watchAt(lease.endNanos() - (renews ? margin.toNanos() : 0));
        }
    }

    /** The store answers again: those that it has kept waiting, and those that come next, do not come all at once. */
    static void onStoreRecovered(EngineContext context) {
        record Renewing(Heartbeat heartbeat, long end) {}
        long now = context.clock.nanos();
        List<Renewing> all = List.copyOf(context.held).stream()
                .map(lease -> new Renewing(lease.heartbeat(), lease.endNanos() - now))
                .filter(one -> one.heartbeat.renews)
                .sorted(Comparator.comparingLong(Renewing::end))
                .toList();
        RecoverySchedule comeback = new RecoverySchedule(now, all.size());
        all.forEach(one -> one.heartbeat.reschedule(comeback.nextNanos(one.heartbeat.plan.interval(), now + one.end)));
    }

    /** What is not due yet is not sent earlier, and nothing is put off again and again. */
    private void reschedule(long slot) {
        long nanos = failures == 0 && latestNanos - slot < 0 ? latestNanos : slot;
        boolean later = renewalNanos - nanos < 0;
        boolean moves = later ? !isPutOff : failures > 0;
        if (!beating && !stopped && !lease.reachedMaxHold() && moves) {
            beat.cancel();
            scheduleRenewalAt(nanos);
            isPutOff = later || isPutOff;
        }
    }

    /** No beat starts from now on. */
    void stop() {
        stopped = true;
        beat.cancel();
        watch.cancel();
    }

    /** How long ago the renewal was due that has not succeeded yet; zero if it is not due, or none is. */
    Duration lag() {
        boolean none = stopped || atRest || !renews;
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
        isPutOff = false;
        beat = context.scheduler.schedule(nanos, () -> submitRenewal(nanos));
        if (stopped) {
            beat.cancel();
        }
    }

    /** One thread that cannot be started does not end the schedule. */
    private void submitRenewal(long nanos) {
        try {
            watchEnd();
            if (failures == 0) {
                context.scheduler.renew(lease.endNanos(), () -> beat(nanos));
            } else {
                context.scheduler.retryRenewal(lease.endNanos(), () -> beat(nanos));
            }
        } catch (Throwable noThread) {
            scheduleRenewalAt(context.clock.nanos() + AGAIN_NANOS);
            throw noThread;
        }
    }

    private void beat(long dueNanos) {
        if (stopped || beating || dueNanos != renewalNanos) {
            return;
        }
        long started = context.clock.nanos();
        boolean regular = false;
        beating = true;
        try {
            context.listener.onHeartbeatLag(
                    Duration.ofNanos(Math.max(0, started - (failures == 0 ? dueSinceNanos : dueNanos))));
            regular = lease.beat();
        } finally { // also where a failure cannot even be described
            failures = regular ? 0 : failures + 1;
            beating = false;
            planNext(started);
        }
    }

    private void planNext(long started) {
        atRest = lease.reachedMaxHold();
        if (stopped || atRest) {
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

    /** Not needed before the first beat is due: most leases are released by then. */
    private void watchEnd() {
        if (!watching) {
            watchAt(lease.endNanos() - (renews ? margin.toNanos() : 0));
            watching = true;
        }
    }

    private void watchAt(long nanos) {
        watchNanos = nanos;
        watch = context.scheduler.schedule(nanos, this::watch);
        if (stopped) {
            watch.cancel();
        }
    }

    /** Runs near the end that the lease had when this was scheduled. */
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

    /** Told as a missed renewal, if it is one that waits for a thread, while all of these wait for a store that is away. */
    private boolean isOverdue(long now) {
        boolean overdue = renews && !beating && renewalNanos - now < 0 && !lease.reachedMaxHold();
        if (overdue) {
            lease.missed();
        }
        return overdue;
    }
}
