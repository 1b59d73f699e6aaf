/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LeaseLost.Reason;
import io.dynamolock.time.Drift;
import io.dynamolock.time.Durations;
import io.dynamolock.time.InFlightRequests;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one lease at the moment, shared by the parts that renew, verify, release and lose it. The {@link
 * LeaseValidity} is accessed under its own monitor; clocks are read, and requests sent, outside of it.
 */
final class LeaseStatus {

    /** A process that detects the expiry later than this must have been paused. */
    private static final Duration PAUSE = Duration.ofMillis(250);

    final LeaseGrant grant;
    final LeaseValidity validity;
    final InFlightRequests renewals;
    private final LeaseClock clock;

    /** The duration that the heartbeat requests: as acquired, until the holder renews with another. */
    private volatile Duration duration;

    private volatile boolean failed;
    private volatile boolean unused;
    private volatile boolean releaseSent;

    /** How long the row stays taken after the release. */
    private volatile Duration keep = Duration.ZERO;

    private volatile @Nullable LeaseLost loss;
    private volatile @Nullable LeaseLost lossFoundByRelease;
    private volatile @Nullable String lastFailure; // of a renewal, until one succeeds

    LeaseStatus(LeaseGrant grant, LeaseClock clock, InFlightRequests renewals) {
        this.grant = grant;
        this.validity = new LeaseValidity(grant.end());
        this.renewals = renewals;
        this.clock = clock;
        this.duration = grant.leaseDuration();
    }

    LeaseState state() {
        if (lossFoundByRelease != null) {
            return LeaseState.LOST;
        }
        ClockReading now = clock.now();
        synchronized (validity) {
            return validity.advanceTo(now);
        }
    }

    boolean isOver() {
        return !state().isHeld();
    }

    /** Whether the lease has ended as lost, whether or not the reason is known. Reads no clock: the end is known. */
    boolean hasEndedAsLost() {
        synchronized (validity) {
            return validity.state() == LeaseState.LOST;
        }
    }

    void ensureHeld() {
        requireHeld(state());
    }

    private void requireHeld(LeaseState state) {
        if (!state.isHeld()) {
            throw notHeld(state);
        }
    }

    /** Returns why a lease in this state is not held. */
    RuntimeException notHeld(LeaseState state) {
        return state == LeaseState.LOST
                ? lostException()
                : new IllegalStateException("The lease on lock '%s' is %s".formatted(grant.name(), state));
    }

    LeaseLostException lostException() {
        return new LeaseLostException(grant.name(), grant.owner(), loss());
    }

    // the end

    Instant expiresAt() {
        synchronized (validity) {
            return validity.end().asInstant();
        }
    }

    Duration remaining() {
        ClockReading now = clock.now();
        synchronized (validity) {
            return validity.isHeldAt(now) ? validity.end().remaining(now) : Duration.ZERO;
        }
    }

    long endNanos() {
        synchronized (validity) {
            return validity.end().nanos();
        }
    }

    boolean isPastItsEnd() {
        ClockReading now = clock.now();
        synchronized (validity) {
            return validity.end().isPast(now);
        }
    }

    /** Whether this process must have been paused at the expiry, and cannot know why no renewal succeeded. */
    boolean isPastItsEndForLong(ClockReading now) {
        synchronized (validity) {
            return validity.end().isPastBy(now, PAUSE);
        }
    }

    // renewals

    Duration duration() {
        return duration;
    }

    void duration(Duration requested) {
        duration = requested;
    }

    /**
     * Whether a renewal that should have succeeded by now has failed or is still in flight. The state does not show a
     * failure after the end of the lease.
     */
    boolean isRenewalMissing() {
        return lastFailure != null || state() == LeaseState.AT_RISK || !renewals.isEmpty();
    }

    /** Whether the lease already lasts until its maximum hold time ends, so that no renewal can extend it. */
    boolean endsAtMaxHold() {
        return grant.maxHold() != null && holdsNoLongerThan(endNanos() - clock.nanos());
    }

    /** Whether the maximum hold time has passed. */
    boolean hasReachedMaxHold() {
        return holdsNoLongerThan(0);
    }

    /** Whether no renewal would have kept the lease, so that its expiry needs no other reason. */
    boolean mustExpire() {
        return !grant.autoRenew() || hasReachedMaxHold();
    }

    /** Ignores a remainder no longer than the drift allowance, as it is not worth a renewal. */
    private boolean holdsNoLongerThan(long nanos) {
        Duration left = grant.remainingMaxHold(clock.nanos());
        long allowedFor = Drift.allowance(Durations.nanos(duration)) + 1_000_000;
        return left != null && Durations.nanos(left) <= nanos + allowedFor;
    }

    // loss

    /** Returns the loss; null if the lease is not lost, or if the reason is not known yet. */
    @Nullable
    LeaseLost loss() {
        return loss == null ? lossFoundByRelease : loss;
    }

    /** Returns the loss that was not known before the release of the lease was rejected; null if there is none. */
    @Nullable
    LeaseLost lossFoundByRelease() {
        return lossFoundByRelease;
    }

    void lossFoundByRelease(LeaseLost found) {
        lossFoundByRelease = found;
    }

    /** Ends the lease as lost; returns null if it was lost, released or detached before. */
    @Nullable
    LeaseLost lose(Reason reason, @Nullable String newHolder) {
        LeaseLost lost = lossNow(reason, newHolder);
        synchronized (validity) {
            if (loss != null || !validity.lose()) {
                return null;
            }
            loss = lost;
            return lost;
        }
    }

    /** Records why the last renewal failed; null if it succeeded. */
    void lastFailure(@Nullable Throwable failure) {
        boolean described = failure instanceof LockStoreException && failure.getMessage() != null;
        lastFailure = failure == null ? null : described ? failure.getMessage() : failure.toString();
    }

    /** Creates the notification of a loss that is detected now. */
    LeaseLost lossNow(Reason reason, @Nullable String newHolder) {
        ClockReading now = clock.now();
        Instant at = Instant.ofEpochMilli(now.wallMillis());
        String failure = reason == Reason.UNREACHABLE && !isPastItsEndForLong(now) ? lastFailure : null;
        return new LeaseLost(grant.name(), grant.owner(), reason, at, newHolder, failure);
    }

    /** Whether the lease is known to be lost for this reason. */
    boolean wasLostBy(Reason reason) {
        return loss != null && loss.reason() == reason; // once known, it stays
    }

    /** Whether the manager was closed, and work may go on under the lease, so that its end does not free the row. */
    boolean isLeftToExpire() {
        return wasLostBy(Reason.CLOSED) && !unused;
    }

    // release and detach

    boolean hasFailed() {
        return failed;
    }

    void markFailed() {
        failed = true;
    }

    boolean isUnused() {
        return unused;
    }

    void markUnused() {
        unused = true;
    }

    /** Returns how long the row stays taken after the release, in whole milliseconds; zero if it is to be freed. */
    Duration keep() {
        return keep;
    }

    /** Lets each release from now on leave the row taken for at least a time, counted from the release. */
    synchronized void keep(Duration atLeast) {
        keep = Durations.max(keep, Durations.wholeMillis(atLeast));
    }

    /** Whether this lease's own release may have freed the row. */
    boolean isReleaseSent() {
        return releaseSent;
    }

    void releaseSent() {
        releaseSent = true;
    }

    boolean isReleasedOrDetached() {
        synchronized (validity) {
            return validity.isReleasedOrDetached();
        }
    }

    /** Ends the lease as released; returns false if it was handed out, so that this process must not release it. */
    boolean release(ClockReading now) {
        synchronized (validity) {
            return validity.release(now);
        }
    }

    /** Ends the lease in this process, for another process to resume it; throws if it has ended otherwise. */
    void detach() {
        ClockReading now = clock.now();
        synchronized (validity) {
            LeaseState state = validity.advanceTo(now);
            if (state != LeaseState.DETACHED || validity.isHandedOut()) {
                requireHeld(state);
            }
            validity.detach();
        }
    }

    /** Records that another process can resume the lease; throws if it was released meanwhile. */
    void handOut() {
        synchronized (validity) {
            validity.handOut();
            if (!validity.isHandedOut()) {
                throw notHeld(validity.state());
            }
        }
    }

    boolean isHandedOut() {
        synchronized (validity) {
            return validity.isHandedOut();
        }
    }
}
