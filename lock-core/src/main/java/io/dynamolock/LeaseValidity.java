/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;

/**
 * What a holder may believe about one lease: which writes were sent, which were answered, until when it holds.
 *
 * <p>The end is the minimum of what the last confirmed write gave and of what every write sent later would give. It is lowered
 * before a write is sent, since the write may be applied without an answer, and raised by the answer to the newest one only,
 * since an older one may have been overtaken by one that gave less. What is over stays over.
 *
 * <p>A pure object: fed with clock readings, no threads, no I/O. Not safe for use by several threads.
 */
final class LeaseValidity {

    /**
     * A renewal to be sent.
     *
     * @param number its number
     * @param sent the clocks before its first attempt was sent
     * @param end what it gives if it is applied
     * @param lease the duration behind it
     */
    record Renewal(long number, ClockReading sent, LeaseExpiry end, Duration lease) {}

    private LeaseState state;
    private LeaseExpiry end;
    private long newest;
    private LeaseExpiry newestEnd;
    private boolean detaching;
    private boolean handedOut;

    LeaseValidity(LeaseExpiry granted) {
        this(LeaseState.HELD, granted, 0, granted);
    }

    /** A term in the middle of its life. */
    LeaseValidity(LeaseState state, LeaseExpiry end, long newest, LeaseExpiry newestEnd) {
        this.state = state;
        this.end = end;
        this.newest = newest;
        this.newestEnd = newestEnd;
        this.handedOut = state == LeaseState.DETACHED;
    }

    LeaseState stateAt(ClockReading now) {
        if (state.isOurs() && end.isPast(now)) {
            state = LeaseState.LOST;
        }
        return state;
    }

    LeaseState state() {
        return state;
    }

    boolean isHeldAt(ClockReading now) {
        return stateAt(now).isOurs();
    }

    LeaseExpiry end() {
        return end;
    }

    long newest() {
        return newest;
    }

    LeaseExpiry newestEnd() {
        return newestEnd;
    }

    /** Starts a renewal: from now on the lease lasts no longer than this write would make it last. */
    Renewal startRenewal(ClockReading now, Duration lease) {
        newest++;
        newestEnd = LeaseExpiry.after(now, lease);
        end = end.earlier(newestEnd);
        return new Renewal(newest, now, newestEnd, lease);
    }

    /** Learns what an answer to a renewal means for the lease that is in the row. A lease that is gone is to be lost. */
    void answered(Renewal renewal, ConditionFailures.Renewal meaning, LockDelay lockDelay, ClockReading now) {
        if (meaning instanceof ConditionFailures.Renewal.Overtaken overtaken) {
            overtaken(lockDelay.believed(overtaken.endMillis()), now);
        } else if (meaning instanceof ConditionFailures.Renewal.Applied) {
            confirmed(renewal, now);
        }
    }

    /** Learns that a renewal was applied. */
    void confirmed(Renewal renewal, ClockReading now) {
        if (isHeldAt(now) && renewal.number() == newest) {
            end = newestEnd;
            state = LeaseState.HELD;
        }
    }

    /** Learns that the row holds another end than this renewal's: a newer one was applied, or a copy of an older one was. */
    void overtaken(long rowMillis, ClockReading now) {
        end = end.notAfter(rowMillis);
        if (isHeldAt(now)) {
            state = LeaseState.HELD;
        }
    }

    /** Learns that a renewal failed or was not answered. Returns whether the lease is at risk only since now. */
    boolean failed(ClockReading now) {
        boolean news = stateAt(now) == LeaseState.HELD;
        if (news) {
            state = LeaseState.AT_RISK;
        }
        return news;
    }

    /** Ends the lease as lost; false if it was given back before. */
    boolean lose() {
        if (isGivenBack()) {
            return false;
        }
        state = LeaseState.LOST;
        return true;
    }

    /** Ends the lease in order; false if it was handed out as text, so that it is not this process's to give back. */
    boolean giveBack(ClockReading now) {
        if (isHeldAt(now) || (state == LeaseState.DETACHED && !handedOut)) {
            state = LeaseState.RELEASED;
        }
        return !handedOut;
    }

    /** Ends the lease here, for another process to carry on. */
    void detach() {
        detaching = true;
        state = LeaseState.DETACHED;
    }

    /** Whether the row may have been marked as detached, so that another process may hold the lock before this lease ends. */
    boolean mayBeResumed() {
        return detaching;
    }

    /** Learns that another process can carry it on, as its row says so. */
    void handOut() {
        handedOut = true;
    }

    boolean isHandedOut() {
        return handedOut;
    }

    /** Learns that the lease ended before it could be handed out: it is to be lost. */
    void recall() {
        state = LeaseState.LOST;
    }

    boolean isGivenBack() {
        return state == LeaseState.RELEASED || state == LeaseState.DETACHED;
    }
}
