/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import io.dynamolock.time.PollBackoff;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * What a waiter knows of a row that another lease holds, and when and how it polls next: by reading, after growing
 * delays; by trying to acquire, when the known row has come to its end. Delays grow with the age of the present hold,
 * so that a lock that has just changed hands is polled again soon, and shrink when the hold has lasted as long as those
 * before. After an attempt on a row failed, the waiter does not try again until the row changes, or for a long time:
 * what rejected it may not be in the row, as a lock of another library that the store honors. Pure.
 */
final class WaiterPolling {

    private static final Duration NEVER = Duration.ofDays(365);

    /** After how long an unchanged row is worth another attempt. */
    private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final PollBackoff backoff;
    private final Observations observations;
    private final TurnClaims claims;
    private final String name;

    private @Nullable LockRow latestRow;
    private @Nullable LockRow attemptedOn;
    private long attemptedNanos;
    private long rejectedNanos;
    private long turnNanos;
    private @Nullable Long since;

    /**
     * The next poll.
     *
     * @param acquires whether to try to acquire immediately rather than read
     * @param atNanos when, on the monotonic clock
     */
    record Poll(boolean acquires, long atNanos) {}

    WaiterPolling(PollBackoff backoff, Observations observations, TurnClaims claims, String name, long startedNanos) {
        this.backoff = backoff;
        this.observations = observations;
        this.claims = claims;
        this.name = name;
        this.rejectedNanos = startedNanos;
        this.turnNanos = startedNanos;
    }

    /** Returns the newest observed row; null if there is none. */
    @Nullable
    LockRow latestRow() {
        return latestRow;
    }

    /** Records that an attempt was rejected, and by which row. */
    void rejected(LockRow row, ClockReading now) {
        replaceLatest(row, now);
        rejectedNanos = now.nanos();
        if (!row.equals(attemptedOn) || claims.isReserved(name, row, now)) {
            attemptedOn = null;
        }
    }

    /** Records the row of a read, which may be out of date. Returns whether an attempt is worthwhile now. */
    boolean observed(LockRow row, ClockReading now) {
        if (latestRow != null && row.isOlderThan(latestRow)) {
            return false;
        }
        replaceLatest(row, now);
        observations.observed(name, row, now.nanos());
        if (!observations.isTakeable(name, row, now) || claims.isReserved(name, row, now)) {
            attemptedOn = null; // the row of the last attempt has been replaced
            return false;
        }
        if (row.equals(attemptedOn) && now.nanos() - attemptedNanos < RETRY_NANOS) {
            return false;
        }
        attemptedOn = row;
        attemptedNanos = now.nanos();
        return true;
    }

    /** Makes the newest row worth another attempt, as the previous one was dropped. */
    void startOver() {
        attemptedOn = null;
    }

    private void replaceLatest(LockRow row, ClockReading now) {
        boolean sameTurn = latestRow != null && isSameTurn(latestRow, row);
        turnNanos = sameTurn ? turnNanos : now.nanos();
        since = since == null ? (Long) row.highestToken() : since;
        latestRow = row;
    }

    /** Whether nobody has acquired or released the lock between; an unchanged row may have no readable holder. */
    private static boolean isSameTurn(LockRow before, LockRow now) {
        boolean sameHolder = before.leaseId() != null && now.isHeldBy(before.leaseId());
        return sameHolder || before.isSameTurn(now) || before.equals(now);
    }

    /** Returns the claim that is due on the newest row; null if there is none. */
    @Nullable
    TurnClaim claim() {
        return latestRow == null || since == null ? null : claims.due(latestRow, since, backoff);
    }

    /** Records that a claim was sent. */
    void claimed(TurnClaim claim) {
        if (latestRow != null) {
            latestRow = latestRow.toBuilder().claim(claim).build();
        }
    }

    /**
     * Plans the next poll: a read after a delay, or an attempt when the known row comes to its end, whichever is first.
     */
    Poll next(ClockReading now) {
        long read = now.nanos() + gapNanos(now);
        if (latestRow != null && !latestRow.isFree()) {
            long end = takeoverNanos(latestRow, now);
            if (end - read < 0 && end - rejectedNanos > 0) {
                return new Poll(true, backoff.shortlyAfterNanos(end));
            }
        }
        return new Poll(false, read);
    }

    private long gapNanos(ClockReading now) {
        long age = ageNanos(now);
        Long remaining = remainingNanos(now);
        long gap = remaining == null ? backoff.delayNanos(age) : backoff.delayNanos(age, remaining);
        boolean claimed = latestRow != null && claims.isOwn(latestRow.claim());
        return claimed
                ? Math.min(gap, Math.max(TurnClaims.longestGapNanos(age, remaining), Durations.nanos(backoff.min())))
                : gap;
    }

    /** Returns how long the present hold has lasted: as observed, or longer by the common time. */
    private long ageNanos(ClockReading now) {
        long observed = now.nanos() - turnNanos;
        Instant acquiredAt = acquiredAt();
        if (acquiredAt == null || latestRow == null || !now.isComparableTo(latestRow.clock())) {
            return observed;
        }
        return Math.max(observed, TimeUnit.MILLISECONDS.toNanos(now.middleMillis() - acquiredAt.toEpochMilli()));
    }

    private @Nullable Instant acquiredAt() {
        return latestRow == null || latestRow.isFree() ? null : latestRow.acquiredAt();
    }

    /** Returns the time to the expected end of the present hold; null if none can be expected. */
    private @Nullable Long remainingNanos(ClockReading now) {
        Duration usual = observations.usualHold(name);
        Instant acquiredAt = acquiredAt();
        if (usual == null || acquiredAt == null || !backoff.isWorthExpecting(usual)) {
            return null;
        }
        long remainingMillis = acquiredAt.toEpochMilli() + usual.toMillis() - now.middleMillis();
        return TimeUnit.MILLISECONDS.toNanos(remainingMillis);
    }

    /**
     * Returns when the row can be taken over: when its end has surely passed, or when it has been unchanged for long
     * enough.
     */
    private long takeoverNanos(LockRow row, ClockReading now) {
        Long takeover = observations.takeoverNanos(name, row);
        long observed = takeover == null ? now.nanos() + Durations.nanos(NEVER) : takeover;
        if (row.expiresAt() == null || !now.isComparableTo(row.clock())) {
            return observed;
        }
        long remainingMillis = Math.min(row.expiresAt().toEpochMilli() - now.earliestMillis() + 1, NEVER.toMillis());
        long byClock = now.nanos() + remainingMillis * 1_000_000;
        return byClock - observed < 0 ? byClock : observed;
    }
}
