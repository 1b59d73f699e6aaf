/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Drift;
import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Remembers, by lock name, what rejected attempts and waiters observed: since when a row is unchanged, and which tokens
 * are used. The first attempt after a row was unchanged for its whole lease therefore takes the lock over immediately,
 * whatever the clocks show.
 *
 * <p>A row counts as unchanged from the arrival of the response that showed it; its holder counts from before it sent
 * its write. Each side allows for the drift of its own clock, so neither needs to know the other's. Bounded: the names
 * used least recently are forgotten, which costs time, never safety. Pure, but safe for use by several threads.
 *
 * <p>It also remembers the last hold of another process that a row told of, from whose duration waiters expect the end
 * of the present one.
 */
final class Observations {

    private final Duration defaultLease;
    private final Map<String, Observation> byName;
    private final Map<String, RecordedHolds> holdsByName;

    /**
     * An observed row.
     *
     * @param row the row
     * @param sinceNanos when the response arrived that showed it first
     * @param latestNanos when the response arrived that showed it last
     * @param beforeNanos when the response arrived that showed the row before its last release last; null if none has
     */
    record Observation(
            LockRow row,
            long sinceNanos,
            long latestNanos,
            @Nullable Long beforeNanos) {

        static Observation first(LockRow row, long nanos) {
            return new Observation(row, nanos, nanos, null);
        }

        private Observation then(LockRow next, long nanos) {
            boolean released = !Objects.equals(row.lastLeaseId(), next.lastLeaseId());
            long since = isUnchanged(row, next) ? sinceNanos : nanos;
            return new Observation(next, since, nanos, released ? (Long) latestNanos : beforeNanos);
        }

        private Observation withClaim(@Nullable TurnClaim claim) {
            return new Observation(row.toBuilder().claim(claim).build(), sinceNanos, latestNanos, beforeNanos);
        }

        /** Whether the row was seen before its last release, at most this time before it was first seen like this. */
        boolean wasReleasedWithin(Duration time) {
            return beforeNanos != null && sinceNanos - beforeNanos <= Durations.nanos(time);
        }
    }

    /**
     * Creates an empty memory.
     *
     * @param capacity how many names are remembered
     * @param defaultLease how long to wait for a row without a lease duration
     */
    Observations(int capacity, Duration defaultLease) {
        this.defaultLease = defaultLease;
        this.byName = recentlyUsed(capacity);
        this.holdsByName = recentlyUsed(capacity);
    }

    private static <V> Map<String, V> recentlyUsed(int capacity) {
        return new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, V> eldest) {
                return size() > capacity;
            }
        };
    }

    /** Records a row that a response showed. */
    synchronized void observed(String name, LockRow row, long receivedNanos) {
        Observation previous = byName.get(name);
        if (row.lastHold() != null) {
            holdsByName.put(name, holds(name).with(row.lastHold()));
        }
        LockRow kept = row.withoutDetails();
        byName.put(
                name, previous == null ? Observation.first(kept, receivedNanos) : previous.then(kept, receivedNanos));
    }

    /** Of the lock of another library that has an end, the duration is what is left of it. */
    private static boolean isShorter(LockRow row, LockRow before) {
        return row.leaseDuration() != null
                && before.leaseDuration() != null
                && row.leaseDuration().compareTo(before.leaseDuration()) < 0;
    }

    /** Records that this process releases the lock. */
    synchronized void released(String name, LastHold own) {
        holdsByName.put(name, holds(name).withOwn(own));
    }

    private RecordedHolds holds(String name) {
        return holdsByName.getOrDefault(name, RecordedHolds.NONE);
    }

    /** Records that this process has sent a claim, or withdraws it. */
    synchronized void claimed(String name, @Nullable TurnClaim claim) {
        byName.computeIfPresent(name, (unused, latest) -> latest.withClaim(claim));
    }

    private static boolean isUnchanged(LockRow before, LockRow now) {
        return (before.isSameLease(now) || before.isSameTurn(now)) && !isShorter(now, before);
    }

    /** Returns the latest observation; null if nothing is remembered. */
    synchronized @Nullable Observation latest(String name) {
        return byName.get(name);
    }

    /** Forgets the row, but not how long holds take. */
    synchronized void forget(String name) {
        byName.remove(name);
    }

    /**
     * Returns how long others usually hold a lock: as long as the last time, if it took about as long the time before.
     * Null if that is unknown.
     */
    synchronized @Nullable Duration usualHold(String name) {
        return holds(name).usual();
    }

    /** Returns the highest token that was observed in use; 0 if there is none. */
    synchronized long highestToken(String name) {
        Observation latest = byName.get(name);
        return latest == null ? 0 : latest.row().highestToken();
    }

    /** Returns the row to take over if it was unchanged for its whole lease; null otherwise. */
    synchronized @Nullable LockRow unchangedRow(String name, long nowNanos) {
        Observation latest = byName.get(name);
        return latest == null || !latest.row().isRecognizable() || nowNanos - takeoverNanos(latest) < 0
                ? null
                : latest.row();
    }

    /** Whether this process could take the lock, given the row that was observed last. */
    boolean isTakeable(String name, LockRow row, ClockReading now) {
        return row.isFree() || ConditionFailures.isPastEnd(row, now) || unchangedRow(name, now.nanos()) != null;
    }

    /**
     * Returns when this row will have been unchanged for long enough; null if it is not the row that was observed last.
     */
    synchronized @Nullable Long takeoverNanos(String name, LockRow row) {
        Observation latest = byName.get(name);
        return latest == null || !latest.row().isSameLease(row) ? null : (Long) takeoverNanos(latest);
    }

    private long takeoverNanos(Observation latest) {
        Duration leaseDuration = latest.row().leaseDuration();
        long nanos = Durations.nanos(leaseDuration == null ? defaultLease : leaseDuration);
        return latest.sinceNanos() + nanos + Drift.allowance(nanos) + 1_000_000;
    }
}
