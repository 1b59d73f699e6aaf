/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Drift;
import io.dynamolock.time.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
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

    /** Two holds are similar if the shorter one takes at least this fraction of the longer one. */
    private static final double SIMILAR = 0.75;

    /** A shorter hold does not count: its end is noticed soon, and work may have found nothing to do. */
    private static final Duration SHORTEST_HOLD = Duration.ofSeconds(1);

    private final Duration defaultLease;
    private final Map<String, Observation> byName;
    private final Map<String, RecordedHolds> holdsByName;

    /**
     * An observed row.
     *
     * @param row the row
     * @param sinceNanos when the response arrived that showed it first
     */
    record Observation(LockRow row, long sinceNanos) {}

    /**
     * What is known of the holds of one lock.
     *
     * @param endedAt when the last one ended, also if it does not count: tells holds apart
     * @param duration how long the last one took that counts; null if there is none
     * @param similar whether the one before took about as long, or there was none
     */
    private record RecordedHolds(Instant endedAt, @Nullable Duration duration, boolean similar) {

        RecordedHolds then(Instant nextEnd, Duration next) {
            if (duration == null) {
                return new RecordedHolds(nextEnd, next, true);
            }
            Duration shorter = Durations.min(duration, next);
            Duration longer = shorter.equals(next) ? duration : next;
            return new RecordedHolds(nextEnd, next, shorter.toMillis() >= longer.toMillis() * SIMILAR);
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
            record(name, row.lastHold());
        }
        long since = previous != null && isUnchanged(previous.row(), row) ? previous.sinceNanos() : receivedNanos;
        byName.put(name, new Observation(row.withoutDetails(), since));
    }

    private void record(String name, LastHold hold) {
        Duration duration = hold.duration();
        if (duration == null || duration.compareTo(SHORTEST_HOLD) < 0) {
            return;
        }
        RecordedHolds known = holdsByName.get(name);
        if (known == null || !known.endedAt().equals(hold.endedAt())) {
            RecordedHolds before = known == null ? new RecordedHolds(hold.endedAt(), null, true) : known;
            holdsByName.put(name, before.then(hold.endedAt(), duration));
        }
    }

    /** Records that this process releases the lock: its own hold says nothing about how long others take. */
    synchronized void released(String name, LastHold own) {
        RecordedHolds known = holdsByName.get(name);
        holdsByName.put(
                name,
                known == null
                        ? new RecordedHolds(own.endedAt(), null, true)
                        : new RecordedHolds(own.endedAt(), known.duration(), known.similar()));
    }

    /** Records that this process has sent a claim, or withdraws it. */
    synchronized void claimed(String name, @Nullable TurnClaim claim) {
        byName.computeIfPresent(
                name,
                (unused, latest) ->
                        new Observation(latest.row().toBuilder().claim(claim).build(), latest.sinceNanos()));
    }

    private static boolean isUnchanged(LockRow before, LockRow now) {
        return before.isSameLease(now) || before.isSameTurn(now);
    }

    /** Returns the latest observation; null if nothing is remembered. */
    synchronized @Nullable Observation latest(String name) {
        return byName.get(name);
    }

    /** Forgets the row, but not how long holds take. */
    synchronized void forget(String name) {
        byName.remove(name);
    }

    /** Returns how long the last two holds of others took that count; null if they differed, or none was known. */
    synchronized @Nullable Duration usualHold(String name) {
        RecordedHolds last = holdsByName.get(name);
        return last == null || !last.similar() ? null : last.duration();
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
