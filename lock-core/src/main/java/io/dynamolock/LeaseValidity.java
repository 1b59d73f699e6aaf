/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.ConditionFailures.RenewRefusal;
import java.time.Duration;

/**
 * What a holder knows about one lease: which writes were sent, which were applied, and until when the lease is held.
 *
 * <p>The end is the minimum of the end that the last confirmed write gave and the ends that all later writes would
 * give. It is lowered before a write is sent, since the write may be applied without a response. Only the response to
 * the newest write raises it, since an older write may have been overtaken by one that gave less. A lease that has
 * ended stays ended.
 *
 * <p>A pure object: fed with clock readings, no threads, no I/O. Not safe for use by several threads.
 */
final class LeaseValidity {

    /**
     * A renewal to be sent.
     *
     * @param number its number
     * @param sent the clocks before its first attempt was sent
     * @param end the end that it gives if it is applied
     * @param leaseDuration the lease duration
     */
    record PendingRenewal(long number, ClockReading sent, LeaseExpiry end, Duration leaseDuration) {}

    private LeaseState state;
    private LeaseExpiry end;
    private long newestNumber;
    private LeaseExpiry newestEnd;
    private boolean handedOut;

    LeaseValidity(LeaseExpiry granted) {
        this(LeaseState.HELD, granted, 0, granted);
    }

    /** Creates the validity of a lease in any state. */
    LeaseValidity(LeaseState state, LeaseExpiry end, long newestNumber, LeaseExpiry newestEnd) {
        this.state = state;
        this.end = end;
        this.newestNumber = newestNumber;
        this.newestEnd = newestEnd;
        this.handedOut = state == LeaseState.DETACHED;
    }

    /** Ends the lease if it has expired by now; returns its state. */
    LeaseState advanceTo(ClockReading now) {
        if (state.isHeld() && end.isPast(now)) {
            state = LeaseState.LOST;
        }
        return state;
    }

    LeaseState state() {
        return state;
    }

    boolean isHeldAt(ClockReading now) {
        return advanceTo(now).isHeld();
    }

    LeaseExpiry end() {
        return end;
    }

    long newestNumber() {
        return newestNumber;
    }

    LeaseExpiry newestEnd() {
        return newestEnd;
    }

    /** Starts a renewal: from now on the lease ends no later than this write would make it end. */
    PendingRenewal startRenewal(ClockReading now, Duration leaseDuration) {
        newestNumber++;
        newestEnd = LeaseExpiry.after(now, leaseDuration);
        end = end.earlier(newestEnd);
        return new PendingRenewal(newestNumber, now, newestEnd, leaseDuration);
    }

    /**
     * Applies the meaning of the response to a renewal, for a lease that the row still holds. For a lease that is gone
     * the caller reports the loss. Returns whether the lease was at risk before, and is not any more.
     */
    boolean answered(PendingRenewal renewal, RenewRefusal meaning, LockDelay lockDelay, ClockReading now) {
        boolean wasAtRisk = state == LeaseState.AT_RISK;
        if (meaning instanceof RenewRefusal.Overtaken overtaken) {
            overtaken(lockDelay.holderEndMillis(overtaken.endMillis()), now);
        } else if (meaning instanceof RenewRefusal.Applied) {
            confirmed(renewal, now);
        }
        return wasAtRisk && state == LeaseState.HELD;
    }

    /** Records that a renewal was applied. */
    void confirmed(PendingRenewal renewal, ClockReading now) {
        if (isHeldAt(now) && renewal.number() == newestNumber) {
            end = newestEnd;
            state = LeaseState.HELD;
        }
    }

    /**
     * Records that the row has another end than this renewal's: a newer renewal was applied, or a copy of an older one.
     */
    void overtaken(long rowMillis, ClockReading now) {
        end = end.notAfter(rowMillis);
        if (isHeldAt(now)) {
            state = LeaseState.HELD;
        }
    }

    /**
     * Records that a renewal failed or got no response. Returns whether that puts the lease at risk, which it was not
     * before.
     */
    boolean failed(ClockReading now) {
        boolean newlyAtRisk = advanceTo(now) == LeaseState.HELD;
        if (newlyAtRisk) {
            state = LeaseState.AT_RISK;
        }
        return newlyAtRisk;
    }

    /**
     * Ends the lease as lost before its end; returns false if that is later than this by now, or if the lease was
     * released or detached before.
     */
    boolean expire(long endNanos) {
        return end.nanos() - endNanos <= 0 && lose();
    }

    /** Ends the lease as lost; returns false if it was released or detached before. */
    boolean lose() {
        if (isReleasedOrDetached()) {
            return false;
        }
        state = LeaseState.LOST;
        return true;
    }

    /**
     * Ends the lease as released; returns false if it was handed out as a token, so that this process must not release
     * it.
     */
    boolean release(ClockReading now) {
        if (isHeldAt(now) || (state == LeaseState.DETACHED && !handedOut)) {
            state = LeaseState.RELEASED;
        }
        return !handedOut;
    }

    /** Ends the lease in this process, for another process to resume it. */
    void detach() {
        state = LeaseState.DETACHED;
    }

    /** Records that the row is marked as detached, so that another process can resume it, unless it was released. */
    void handOut() {
        handedOut = state == LeaseState.DETACHED;
    }

    boolean isHandedOut() {
        return handedOut;
    }

    /** Records that a lease which is being detached ended before it could be handed out: it is lost. */
    void recall() {
        if (state == LeaseState.DETACHED && !handedOut) {
            state = LeaseState.LOST;
        }
    }

    boolean isReleasedOrDetached() {
        return state == LeaseState.RELEASED || state == LeaseState.DETACHED;
    }
}
