/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a waiter knows of a row that is not its own, and when and how it looks again: by reading, after gaps that grow; by
 * trying, when the row it knows has come to its end. A row that did not let it in is not tried again until it changes. Pure.
 */
final class WaiterPolling {

    private static final Duration NEVER = Duration.ofDays(365);

    private final PollBackoff plan;
    private final Observations observations;
    private final String name;
    private final long startedNanos;

    private @Nullable LockRow known;
    private @Nullable LockRow triedOn;
    private long refusedNanos;

    /**
     * When to look again.
     *
     * @param tries whether to try at once rather than read
     * @param atNanos when, on the monotonic clock
     */
    record Look(boolean tries, long atNanos) {}

    WaiterPolling(PollBackoff plan, Observations observations, String name, long startedNanos) {
        this.plan = plan;
        this.observations = observations;
        this.name = name;
        this.startedNanos = startedNanos;
        this.refusedNanos = startedNanos;
    }

    /** The newest row seen; null if none was. */
    @Nullable
    LockRow known() {
        return known;
    }

    /** Learns that a try was refused, and by which row. */
    void refused(LockRow row, ClockReading now) {
        known = row;
        refusedNanos = now.nanos();
        if (!row.equals(triedOn)) {
            triedOn = null;
        }
    }

    /** Learns what a read showed, which may be a row that is out of date. Returns whether it is worth a try now. */
    boolean saw(LockRow row, ClockReading now) {
        if (known != null && row.isOlderThan(known)) {
            return false;
        }
        known = row;
        observations.saw(name, row, now.nanos());
        if (!observations.isTakeable(name, row, now)) {
            triedOn = null; // what was tried on is over
            return false;
        }
        if (row.equals(triedOn)) {
            return false;
        }
        triedOn = row;
        return true;
    }

    /** Plans the next look: a read after a gap, or a try when the row known comes to its end, whichever is first. */
    Look next(ClockReading now) {
        long read = now.nanos() + plan.gapNanos(now.nanos() - startedNanos);
        if (known != null && !known.isFree()) {
            long end = endNanos(known, now);
            if (end - read < 0 && end - refusedNanos > 0) {
                return new Look(true, plan.afterNanos(end));
            }
        }
        return new Look(false, read);
    }

    /** When the row may be taken over: when its end is surely past, or when it has stood still for long enough. */
    private long endNanos(LockRow row, ClockReading now) {
        Long due = observations.dueNanos(name, row);
        long observed = due == null ? now.nanos() + Durations.nanos(NEVER) : due;
        if (row.expiresAt() == null || !now.compares(row.clock())) {
            return observed;
        }
        long leftMillis = Math.min(row.expiresAt().toEpochMilli() - now.earliestMillis() + 1, NEVER.toMillis());
        long byClock = now.nanos() + leftMillis * 1_000_000;
        return byClock - observed < 0 ? byClock : observed;
    }
}
