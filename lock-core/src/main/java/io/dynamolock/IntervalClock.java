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
 * <p>An empty intersection refutes the assumption behind it: the clock is then not to be trusted until an hour has passed
 * without another. What was known stays the reference, however far off the dates are and however many of them agree with each
 * other: a front end that renders all its dates wrong does so consistently, and whoever followed it would take locks that are
 * held. A single absurd date costs an hour of observation, which is slower and never wrong. Nor does the reference age out, or
 * end with a suspension: widened by its age and by what the wall clock has moved it still contains the store's time, although
 * it may be too wide, and thus void, to compare ends with.
 *
 * <p>Only the first dates of a process have nothing to be compared with but the wall clock. An hour off it, they are believed
 * once {@value #CONFIRMATIONS_NEEDED} more agree. Whether all of them are wrong cannot be found out; nor whether the next ones are,
 * if the first answer took so long that it excludes little.
 *
 * <p>Immutable and pure.
 *
 * @param skewNanos how far front ends may disagree, in all
 * @param range the bounds of the offset; null if none are known
 * @param candidate first bounds, too far off the wall clock to be believed without confirmation
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

    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final long HOUR = 3_600 * SECOND;
    private static final long JUMP = SECOND / 2;
    private static final long SHARP = SECOND / 8;

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
            long widening = Drift.within(Math.max(0, nanos - atNanos));
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

        /** How far it is off the wall clock. */
        long distanceToWall() {
            return Math.max(0, Math.max(low - wallOffset, wallOffset - high));
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
        return isVoid(nanos, wall) ? null : reference(nanos, wall);
    }

    /** Bounds at this moment that may be too wide to compare ends with; null if no answer has told the time. */
    @Nullable
    Range reference(long nanos, Instant wall) {
        return range == null ? null : range.agedTo(nanos).movedBy(offset(wall, nanos) - range.wallOffset());
    }

    /** The latest that the store's time can be; null if nothing is known of it, or nothing to be trusted. */
    @Nullable
    Long latestMillis(long nanos, Instant wall) {
        Range bounds = isRefuted(nanos) ? null : reference(nanos, wall);
        return bounds == null ? null : (Long) (Math.floorDiv(nanos + bounds.high(), MILLI) + 1);
    }

    /** Whether what is known is an hour off the wall clock, so that one of the two is wrong. */
    boolean isFarOffTheWallClock() {
        return range != null && range.distanceToWall() > HOUR;
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
        Range known = reference(receivedNanos, wall);
        if (known == null) {
            return said.distanceToWall() > HOUR ? doubted(said) : believing(said, refutedUntil);
        }
        return known.meets(said) ? believing(known.and(said), refutedUntil) : contradicted(receivedNanos + HOUR);
    }

    /** Learns from an answer, by the readings of before it was sent and of its receipt. */
    IntervalClock answered(ClockReading sent, ClockReading received, @Nullable Instant date) {
        return date == null
                ? undated(received.nanos(), received.wall())
                : sampled(sent.nanos(), received.nanos(), received.movedSince(sent), date, received.wall());
    }

    /** Learns that an answer told no time. */
    IntervalClock undated(long nanos, Instant wall) {
        return new IntervalClock(skewNanos, range, candidate, confirmations, refutedUntil, isVoid(nanos, wall));
    }

    private IntervalClock believing(Range next, @Nullable Long refuted) {
        return new IntervalClock(skewNanos, next, null, 0, refuted, false);
    }

    private IntervalClock contradicted(long until) {
        return new IntervalClock(skewNanos, range, null, 0, until, false);
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
