/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import io.dynamolock.time.PollBackoff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a waiter knows of a row that another lease holds, and when and how it polls next: by reading, after growing
 * delays; by trying to acquire, when the known row has come to its end. After an attempt on a row failed, the waiter does
 * not try again until the row changes. Pure.
 */
final class WaiterPolling {

    private static final Duration NEVER = Duration.ofDays(365);

    private final PollBackoff backoff;
    private final Observations observations;
    private final String name;
    private final long startedNanos;

    private @Nullable LockRow latestRow;
    private @Nullable LockRow attemptedOn;
    private long refusedNanos;

    /**
     * The next poll.
     *
     * @param acquires whether to try to acquire immediately rather than read
     * @param atNanos when, on the monotonic clock
     */
    record Poll(boolean acquires, long atNanos) {}

    WaiterPolling(PollBackoff backoff, Observations observations, String name, long startedNanos) {
        this.backoff = backoff;
        this.observations = observations;
        this.name = name;
        this.startedNanos = startedNanos;
        this.refusedNanos = startedNanos;
    }

    /** Returns the newest observed row; null if there is none. */
    @Nullable
    LockRow latestRow() {
        return latestRow;
    }

    /** Records that an attempt was rejected, and by which row. */
    void refused(LockRow row, ClockReading now) {
        latestRow = row;
        refusedNanos = now.nanos();
        if (!row.equals(attemptedOn)) {
            attemptedOn = null;
        }
    }

    /** Records the row of a read, which may be out of date. Returns whether an attempt is worthwhile now. */
    boolean observed(LockRow row, ClockReading now) {
        if (latestRow != null && row.isOlderThan(latestRow)) {
            return false;
        }
        latestRow = row;
        observations.observed(name, row, now.nanos());
        if (!observations.isTakeable(name, row, now)) {
            attemptedOn = null; // the row of the last attempt has been replaced
            return false;
        }
        if (row.equals(attemptedOn)) {
            return false;
        }
        attemptedOn = row;
        return true;
    }

    /**
     * Plans the next poll: a read after a delay, or an attempt when the known row comes to its end, whichever is first.
     */
    Poll next(ClockReading now) {
        long read = now.nanos() + backoff.delayNanos(now.nanos() - startedNanos);
        if (latestRow != null && !latestRow.isFree()) {
            long end = takeoverNanos(latestRow, now);
            if (end - read < 0 && end - refusedNanos > 0) {
                return new Poll(true, backoff.shortlyAfterNanos(end));
            }
        }
        return new Poll(false, read);
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
