/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.Observations.Observation;
import io.dynamolock.time.Durations;
import io.dynamolock.time.PollBackoff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Turns among the processes that wait for a lock: decides when a waiter claims the next one, and how long a claim of
 * another process reserves a free lock. It makes waiting fair; it never decides exclusion. Reads neither clock
 * nor store; its only state are the shared observations.
 */
final class TurnClaims {

    /** A waiter with a claim polls at least this often, while the lock changes hands. */
    private static final Duration LONGEST_GAP = Duration.ofSeconds(1);

    /**
     * Locks that are held longer do not change hands often: a waiter with a claim polls them as rarely as others,
     * unless their end is expected within this time.
     */
    private static final Duration LONG_HOLD = Duration.ofMinutes(1);

    /** What a poll may take, in addition to the gap before it. */
    private static final Duration POLL = Duration.ofMillis(500);

    /**
     * Without a common time, a lock is reserved only if its release is known to be more recent: by observation, or else
     * by the wall clock.
     */
    private static final Duration LONGEST_RESERVATION = Duration.ofMinutes(1);

    private final String claimant;
    private final Observations observations;

    /**
     * Creates the claims of one process.
     *
     * @param claimant a random id of the process
     * @param observations what it has observed of rows
     */
    TurnClaims(String claimant, Observations observations) {
        this.claimant = claimant;
        this.observations = observations;
    }

    /**
     * Returns the longest gap between two polls of a waiter with a claim.
     *
     * @param ageNanos how long the present hold has been observed
     * @param remainingNanos the time to its expected end, negative after it; null if none is expected
     */
    static long longestGapNanos(long ageNanos, @Nullable Long remainingNanos) {
        boolean endsSoon = remainingNanos != null && Math.abs(remainingNanos) < LONG_HOLD.toNanos();
        return endsSoon || ageNanos < LONG_HOLD.toNanos() ? LONGEST_GAP.toNanos() : Long.MAX_VALUE;
    }

    /** Returns the claim of this process that was observed last; null if there is none. */
    @Nullable
    TurnClaim own(String name) {
        Observation latest = observations.latest(name);
        TurnClaim claim = latest == null ? null : latest.row().claim();
        return isOwn(claim) ? claim : null;
    }

    boolean isOwn(@Nullable TurnClaim claim) {
        return claim != null && claim.isBy(claimant);
    }

    /**
     * Returns the claim of a waiter that has missed a turn; null if it has missed none, or if the next turn is claimed
     * already by this process, or by one that has waited as long, or if the waiter polls too rarely to use its window.
     * Null also if the store would reject it, at each poll: for a free lock, for one of another library or of a later
     * version of this one, and for a row with a malformed claim that is not replaced.
     *
     * @param held the row of a lock that another process holds
     * @param since the highest token when the wait began
     * @param backoff the gaps between the polls of the waiter
     */
    @Nullable
    TurnClaim due(LockRow held, long since, PollBackoff backoff) {
        boolean claimable = held.leaseId() != null && held.stamp() == null && !held.laterFormat();
        boolean missedTurn = claimable && held.highestToken() > since;
        TurnClaim present = held.claim();
        boolean claimed = present != null && (isOwn(present) || present.isAtLeastAsOldAs(since));
        boolean useful = backoff.min().compareTo(LONGEST_GAP) <= 0;
        if (!missedTurn || claimed || !useful) {
            return null;
        }
        TurnClaim next = TurnClaim.of(since, windowOf(backoff.max()), claimant);
        return next.replaces(present) ? next : null;
    }

    private static Duration windowOf(Duration pollMax) {
        return Durations.min(pollMax, LONGEST_GAP).plus(POLL);
    }

    /**
     * Whether a free lock is reserved for a waiter of another process: until the window after the release has passed,
     * by the common time, or by observation.
     */
    boolean isReserved(String name, LockRow row, ClockReading now) {
        TurnClaim claim = row.claim();
        LastHold released = row.lastHold();
        if (claim == null || !claim.isValid() || !row.isFree() || isOwn(claim) || released == null) {
            return false;
        }
        long windowMillis = claim.window().toMillis();
        Observation latest = observations.latest(name);
        if (latest != null && latest.row().isSameTurn(row)) {
            if (now.nanos() - latest.sinceNanos() > windowMillis * 1_000_000) {
                return false;
            }
            if (now.time() == LeaseTime.OBSERVED && latest.wasReleasedWithin(LONGEST_RESERVATION)) {
                return true; // whatever the wall clocks of the two processes show
            }
        }
        long elapsed = now.earliestMillis() - released.endedAt().toEpochMilli();
        long limit = now.time() == LeaseTime.OBSERVED ? LONGEST_RESERVATION.toMillis() : windowMillis;
        long uncertainty = now.latestMillis() - now.earliestMillis();
        return elapsed <= limit && elapsed >= -limit - uncertainty; // a later release is no recent one
    }

    /** Returns the text of a claim despite which this process may acquire the lock: its own, or one that is over. */
    String ignorableClaim(String name, ClockReading now) {
        Observation latest = observations.latest(name);
        TurnClaim claim = latest == null ? null : latest.row().claim();
        if (latest == null || claim == null) {
            return claimant;
        }
        boolean over = latest.row().isFree() && !isReserved(name, latest.row(), now);
        return isOwn(claim) || over ? claim.text() : claimant;
    }
}
