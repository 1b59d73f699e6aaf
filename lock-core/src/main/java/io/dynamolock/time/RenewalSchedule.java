/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a lease is renewed, and when its expiry is checked, as a state machine: takes times of the monotonic clock,
 * returns what is due. Pure; safe for use by several threads.
 *
 * <p>One renewal is planned at a time. A regular one is due since the moment it was planned for, however often it fails
 * or is moved. The expiry is not checked before the first renewal is due, as most leases are released earlier.
 */
public final class RenewalSchedule {

    private RenewalPlan plan;
    private long marginNanos;

    private boolean renews;
    private boolean stopped;
    private boolean renewing;
    private long renewalNanos;
    private long dueSinceNanos;
    private int failures;

    /** The latest time to which the regular renewal can be postponed; fixed when the renewal is planned. */
    private long latestNanos;

    /**
     * Whether this renewal was postponed. Each is postponed at most once, however often the store fails and recovers.
     */
    private boolean postponed;

    /** Whether no renewal is planned, as none could extend the lease beyond its maximum hold time. */
    private boolean idle;

    private boolean checksExpiry;
    private long expiryCheckNanos;

    /**
     * Creates a schedule that has not begun.
     *
     * @param plan the delays
     * @param margin how long before its end a lease is reported as lost if its renewal is missing
     */
    public RenewalSchedule(RenewalPlan plan, Duration margin) {
        this.plan = plan;
        this.marginNanos = margin.toNanos();
    }

    /**
     * Begins the schedule.
     *
     * @param autoRenew whether the lease is renewed at all
     * @param endsAtMaxHold whether no renewal can extend it
     * @return whether a first renewal must be planned; if not, only the expiry is checked
     */
    public synchronized boolean begin(boolean autoRenew, boolean endsAtMaxHold) {
        renews = autoRenew;
        idle = renews && endsAtMaxHold;
        return renews && !idle;
    }

    /** Ends the schedule: no renewal begins from now on. */
    public synchronized void stop() {
        stopped = true;
    }

    /** Whether the schedule has ended. */
    public synchronized boolean isStopped() {
        return stopped;
    }

    /** Whether the lease is renewed at all. */
    public synchronized boolean renews() {
        return renews;
    }

    /** Returns the longest time from one renewal to the next. */
    public synchronized Duration interval() {
        return plan.interval();
    }

    // plan

    /** Returns the delay of a first renewal after an acquisition or a change of the lease duration. */
    public synchronized long firstDelayNanos(long remainingNanos) {
        return plan.firstDelayNanos(remainingNanos);
    }

    /** Returns the delay of the renewal after one that has succeeded. */
    public synchronized long nextDelayNanos(long remainingNanos) {
        return plan.nextDelayNanos(remainingNanos);
    }

    /** Returns the delay of a retry. */
    public synchronized long retryDelayNanos(long remainingNanos) {
        return plan.retryDelayNanos(failures, remainingNanos);
    }

    /** Returns the delay of a retry while the store responds for none of the given number of leases. */
    public synchronized long probeDelayNanos(int leases, long remainingNanos) {
        return plan.probeDelayNanos(leases, remainingNanos);
    }

    /** Plans a regular renewal. */
    public synchronized void renewAt(long nanos, long nowNanos, long endNanos) {
        dueSinceNanos = nanos;
        latestNanos = nowNanos + RenewalPlan.latestRetryNanos(endNanos - nowNanos);
        retryAt(nanos);
    }

    /** Plans another attempt of the renewal that is due. */
    public synchronized void retryAt(long nanos) {
        renewalNanos = nanos;
        postponed = false;
    }

    /** Adapts the schedule to another lease duration. */
    public synchronized void change(RenewalPlan newPlan, Duration newMargin) {
        plan = newPlan;
        marginNanos = newMargin.toNanos();
    }

    /** Plans a regular renewal if the planned one would be later, or there is none; returns whether it did. */
    public synchronized boolean renewEarlier(long nextDue, long nowNanos, long endNanos) {
        boolean moves = renews && (idle || nextDue - renewalNanos < 0);
        if (moves) {
            idle = false;
            renewAt(nextDue, nowNanos, endNanos);
        }
        return moves;
    }

    /**
     * Whether a lease that has not ended yet has no renewal, although one could extend it, or one that leaves less of
     * the remaining time than any that is planned for this end.
     */
    public synchronized boolean renewsTooLate(long nowNanos, long endNanos, boolean endsAtMaxHold) {
        long remaining = endNanos - nowNanos;
        boolean tooLate = idle ? !endsAtMaxHold : renewalNanos - nowNanos > latestNanos(remaining);
        return tooLate && !stopped && remaining > 0;
    }

    private long latestNanos(long remainingNanos) {
        return failures == 0
                ? RenewalPlan.latestRetryNanos(remainingNanos)
                : RenewalPlan.latestProbeNanos(remainingNanos);
    }

    // recovery of the store

    /** Whether the renewal can be moved at all. */
    public synchronized boolean isMovable() {
        return !renewing && !stopped;
    }

    /**
     * Moves a renewal to its slot after an outage: to a later time at most once, to an earlier one only if it is a
     * retry. Returns the new time, or null if it is not moved.
     */
    public synchronized @Nullable Long moveTo(long slot) {
        long nanos = failures == 0 && latestNanos - slot < 0 ? latestNanos : slot;
        boolean later = renewalNanos - nanos < 0;
        boolean moves = later ? !postponed : failures > 0;
        if (!moves) {
            return null;
        }
        retryAt(nanos);
        postponed = later;
        return nanos;
    }

    // renewal

    /** Whether the renewal that is planned is a retry. */
    public synchronized boolean isRetry() {
        return failures > 0;
    }

    /** Begins the renewal that was planned for this moment; returns false if it was moved, or must not begin. */
    public synchronized boolean beginRenewal(long plannedNanos) {
        if (stopped || renewing || plannedNanos != renewalNanos) {
            return false;
        }
        renewing = true;
        return true;
    }

    /**
     * Returns how late the renewal begins: a regular one by the time it was due, a retry by the time it was planned
     * for.
     */
    public synchronized long delayNanos(long plannedNanos, long startedNanos) {
        return Math.max(0, startedNanos - (failures == 0 ? dueSinceNanos : plannedNanos));
    }

    /** Ends a renewal. The next one is a retry unless this one was regular. */
    public synchronized void endRenewal(boolean regular) {
        failures = regular ? 0 : failures + 1;
        renewing = false;
    }

    /** Whether another renewal must be planned. */
    public synchronized boolean continues(boolean endsAtMaxHold) {
        idle = endsAtMaxHold;
        return !stopped && !idle;
    }

    /** Whether no renewal is planned. */
    public synchronized boolean isAtRest() {
        return stopped || idle || !renews;
    }

    /** Returns how long ago the renewal that has not succeeded yet was due; zero if it is not due. */
    public synchronized long lagNanos(long nowNanos) {
        return Math.max(0, nowNanos - dueSinceNanos);
    }

    /** Whether a renewal should have begun by now, and has not. */
    public synchronized boolean isOverdue(long nowNanos) {
        return renews && !renewing && renewalNanos - nowNanos < 0;
    }

    // expiry

    /** Whether the expiry is checked. */
    public synchronized boolean checksExpiry() {
        return checksExpiry;
    }

    /** Returns when to check a lease with this end first. */
    public synchronized long firstExpiryCheckNanos(long endNanos) {
        return endNanos - (renews ? marginNanos : 0);
    }

    /** Records that the expiry is checked from now on. */
    public synchronized void beginExpiryChecks() {
        checksExpiry = true;
    }

    /** Plans a check of the expiry. */
    public synchronized void checkExpiryAt(long nanos) {
        expiryCheckNanos = nanos;
    }

    /** Whether the lease ends before the planned check. */
    public synchronized boolean checksExpiryTooLate(long endNanos) {
        return checksExpiry && endNanos - expiryCheckNanos < 0;
    }

    /** Returns when to check again a lease that ends later; null if its margin has begun. */
    public synchronized @Nullable Long nextExpiryCheckNanos(long nowNanos, long endNanos) {
        return endNanos - nowNanos > marginNanos ? (Long) (endNanos - marginNanos) : null;
    }
}
