/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Knows the store's time as an interval that surely contains it, from the dates of the store's answers and this process's
 * monotonic clock. An answer dated {@code D} (whole seconds) to a request sent at {@code s} and received at {@code r} says
 * that the store's time less the monotonic clock lies in {@code [D - r, D + 1 s - s]}, give or take half of the allowed skew,
 * since two front ends may differ and may render dates late. What the answers say is intersected; the interval widens with
 * age and by whatever the wall clock has moved against the monotonic one, since the machine may have stood still for so
 * long, and is void after an hour without an answer or when that is too much.
 *
 * <p>An empty intersection refutes the assumption behind it: the clock is then not to be trusted for an hour. Starting afresh
 * from the newest answer would be wrong, as nothing tells which of the two was. Only if this machine's own clocks have moved
 * against each other is it known that the older answers are the ones that no longer hold.
 *
 * <p>Immutable and pure.
 *
 * @param skewNanos how far front ends may disagree, in all
 * @param range the bounds of the offset; null if none are known
 * @param candidate bounds that are too far off to be believed without confirmation
 * @param confirmations how many answers agreed with the candidate
 * @param refutedUntil until when it is not to be trusted; null if it is
 * @param undated whether the last answer told no time while none was known
 */
record IntervalClock(
        long skewNanos,
        @Nullable Range range,
        @Nullable Range candidate,
        int confirmations,
        @Nullable Long refutedUntil,
        boolean undated) {

    private static final long SECOND = 1_000_000_000L;
    private static final long HOUR = 3_600 * SECOND;
    private static final long JUMP = SECOND / 2;
    private static final long SHARP = SECOND / 8;

    /** A monotonic clock gains or loses no more than one part in so many, 500 ppm. */
    private static final long DRIFT = 2_000;

    private static final int CONFIRMATIONS_NEEDED = 3;

    /**
     * Bounds of the store's time less the monotonic clock.
     *
     * @param low the lower bound, in nanoseconds
     * @param high the upper bound
     * @param atNanos when they were right, on the monotonic clock
     * @param wallOffset the wall clock less the monotonic clock at that moment
     */
    record Range(long low, long high, long atNanos, long wallOffset) {

        Range agedTo(long nanos) {
            long widening = (Math.max(0, nanos - atNanos) + DRIFT - 1) / DRIFT; // many short ages make a long one
            return new Range(low - widening, high + widening, nanos, wallOffset);
        }

        /** The same after the wall clock has moved so much against the monotonic one, which may have stood still so long. */
        Range movedBy(long nanos) {
            return new Range(low + Math.min(0, nanos), high + Math.max(0, nanos), atNanos, wallOffset + nanos);
        }

        long width() {
            return high - low;
        }

        boolean meets(Range other) {
            return low <= other.high && other.low <= high;
        }

        Range and(Range newer) {
            return new Range(Math.max(low, newer.low), Math.min(high, newer.high), newer.atNanos, newer.wallOffset);
        }

        long distanceTo(Range other) {
            return Math.max(0, Math.max(low - other.high, other.low - high));
        }

        boolean jumped(long wallOffsetNow) {
            return Math.abs(wallOffsetNow - wallOffset) > JUMP;
        }
    }

    static IntervalClock empty(Duration maxSkew) {
        return new IntervalClock(Durations.nanos(maxSkew), null, null, 0, null, false);
    }

    /** Whether nothing is known at this moment. */
    boolean isVoid(long nanos, Instant wall) {
        return range == null || nanos - range.atNanos() > HOUR || range.jumped(offset(wall, nanos));
    }

    /** Whether a contradiction was seen within the last hour. */
    boolean isRefuted(long nanos) {
        return refutedUntil != null && nanos - refutedUntil < 0;
    }

    /** The bounds at this moment; null if void. */
    @Nullable
    Range at(long nanos, Instant wall) {
        return isVoid(nanos, wall) || range == null
                ? null
                : range.agedTo(nanos).movedBy(offset(wall, nanos) - range.wallOffset());
    }

    /**
     * The last moment up to the given one at which the store's time is as likely before a full second as after it: an answer
     * from then says which, and halves what is not known. Null if nothing is known, or so much that it is not worth the while.
     */
    @Nullable
    Long tellingMomentUpTo(long nanos, Instant wall) {
        Range bounds = isRefuted(nanos) ? null : at(nanos, wall);
        if (bounds == null || bounds.width() - skewNanos <= SHARP) {
            return null;
        }
        long middle = bounds.low() + bounds.width() / 2;
        return nanos - Math.floorMod(nanos + middle, SECOND);
    }

    /**
     * Learns from an answer that told the time.
     *
     * @param movedNanos how far the wall clock moved against the monotonic one while the request was under way
     */
    IntervalClock sampled(long sentNanos, long receivedNanos, long movedNanos, Instant date, Instant wall) {
        long dated = date.getEpochSecond() * SECOND;
        Range said = new Range(
                        dated - receivedNanos - skewNanos / 2,
                        dated + SECOND - sentNanos + skewNanos / 2,
                        sentNanos,
                        offset(wall, receivedNanos) - movedNanos)
                .agedTo(receivedNanos)
                .movedBy(movedNanos);
        Range known = at(receivedNanos, wall);
        if (isAbsurd(said, known)) {
            return doubted(said);
        }
        if (known == null) {
            return believing(said, refutedUntil);
        }
        return known.meets(said) ? believing(known.and(said), refutedUntil) : believing(said, receivedNanos + HOUR);
    }

    /** Learns that an answer told no time. */
    IntervalClock undated(long nanos, Instant wall) {
        return new IntervalClock(skewNanos, range, candidate, confirmations, refutedUntil, isVoid(nanos, wall));
    }

    private IntervalClock believing(Range next, @Nullable Long refuted) {
        return new IntervalClock(skewNanos, next, null, 0, refuted, false);
    }

    /** A date an hour off what is known, or off the wall clock where nothing is, is more likely wrong than right. */
    private static boolean isAbsurd(Range said, @Nullable Range known) {
        Range reference = known != null ? known : new Range(said.wallOffset(), said.wallOffset(), said.atNanos(), 0);
        return said.distanceTo(reference) > HOUR;
    }

    private IntervalClock doubted(Range said) {
        Range earlier = candidate == null || candidate.jumped(said.wallOffset())
                ? null
                : candidate.agedTo(said.atNanos()).movedBy(said.wallOffset() - candidate.wallOffset());
        if (earlier == null || !earlier.meets(said)) {
            return new IntervalClock(skewNanos, range, said, 0, refutedUntil, false);
        }
        Range both = earlier.and(said);
        return confirmations + 1 >= CONFIRMATIONS_NEEDED
                ? believing(both, refutedUntil)
                : new IntervalClock(skewNanos, range, both, confirmations + 1, refutedUntil, false);
    }

    private static long offset(Instant wall, long nanos) {
        return wall.getEpochSecond() * SECOND + wall.getNano() - nanos;
    }
}
