/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What refused tries and waiters saw, by name: since when a row stands still, and which tokens are used up. So the first try
 * after a whole lease without a change takes over at once, whatever the clocks say.
 *
 * <p>A row stands still from the moment the answer arrived that showed it; its holder counted from before it sent its write.
 * Each allows for the drift of its own clock, so neither need know the other's.
 * Bounded: the names looked at longest ago are forgotten, which costs time, never safety. Pure, but safe for use by several
 * threads.
 */
final class Observations {

    private final int capacity;
    private final Duration unknownLease;
    private final Map<String, Seen> byName;

    /**
     * A row as it was seen.
     *
     * @param row the row
     * @param sinceNanos when the answer arrived that showed it first
     */
    record Seen(LockRow row, long sinceNanos) {}

    /**
     * Creates an empty memory.
     *
     * @param capacity how many names it remembers
     * @param unknownLease how long to wait for a row that does not say
     */
    Observations(int capacity, Duration unknownLease) {
        this.capacity = capacity;
        this.unknownLease = unknownLease;
        this.byName = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
                return size() > Observations.this.capacity;
            }
        };
    }

    /** Notes a row that an answer showed. */
    synchronized void saw(String name, LockRow row, long answeredNanos) {
        Seen before = byName.get(name);
        long since = before != null && before.row().isSameLease(row) ? before.sinceNanos() : answeredNanos;
        byName.put(name, new Seen(row.withoutMetadata(), since));
    }

    /** What was seen last; null if nothing is remembered. */
    synchronized @Nullable Seen seen(String name) {
        return byName.get(name);
    }

    synchronized void forget(String name) {
        byName.remove(name);
    }

    /** The highest token that was seen in use; 0 if none was. */
    synchronized long highestToken(String name) {
        Seen seen = byName.get(name);
        return seen == null ? 0 : seen.row().highestToken();
    }

    /** The row to take over, if it has stood still for as long as it asks for. */
    synchronized @Nullable LockRow unchangedRow(String name, long nowNanos) {
        Seen seen = byName.get(name);
        return seen == null || !seen.row().isRecognisable() || nowNanos - dueNanos(seen) < 0 ? null : seen.row();
    }

    /** Whether a rival here could have the lock, given the row that was seen last. */
    boolean isTakeable(String name, LockRow row, ClockReading now) {
        return row.isFree() || ConditionFailures.isPastEnd(row, now) || unchangedRow(name, now.nanos()) != null;
    }

    /** When this row will have stood still long enough; null if it is not the one that was seen. */
    synchronized @Nullable Long dueNanos(String name, LockRow row) {
        Seen seen = byName.get(name);
        return seen == null || !seen.row().isSameLease(row) ? null : (Long) dueNanos(seen);
    }

    private long dueNanos(Seen seen) {
        Duration lease = seen.row().leaseDuration();
        long nanos = Durations.nanos(lease == null ? unknownLease : lease);
        return seen.sinceNanos() + nanos + Drift.within(nanos) + 1_000_000;
    }
}
