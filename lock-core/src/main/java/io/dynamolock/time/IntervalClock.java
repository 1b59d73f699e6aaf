/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Tracks the store's time as an interval that surely contains it, from the dates of the store's responses and this
 * process's monotonic clock. A response dated {@code D} (whole seconds) to a request sent at {@code s} and received at
 * {@code r} implies that the store's time less the monotonic clock lies in {@code [D - r, D + 1 s - s]}, plus or minus
 * half of the allowed skew, since two front ends may differ and may render dates late. The intervals of all responses
 * are intersected. The result widens with age and by every shift of the wall clock against the monotonic clock, since
 * the machine may have been suspended for that long. It is void after an hour without a response, or when that shift is
 * too large.
 *
 * <p>An empty intersection refutes the assumption behind it: the clock is then not trusted until an hour has passed
 * without another contradiction. The interval known before stays the reference, however far off the new dates are and
 * however many of them agree with each other: a front end that renders all its dates wrong does so consistently, and a
 * process that followed it would take locks that are held. A single absurd date costs an hour of observation, which is
 * slower but never wrong. The reference does not age out either, nor end with a suspension: widened by its age and by
 * the shift of the wall clock it still contains the store's time, although it may be too wide, and thus void, for
 * comparing ends.
 *
 * <p>The first dates of a process, and only these, have no reference but the wall clock. If they are an hour off it,
 * they are accepted once {@value #CONFIRMATIONS_NEEDED} more agree. It cannot be detected whether all of them are
 * wrong, nor whether the next ones are, if the first response took so long that it excludes little.
 *
 * <p>Immutable and pure.
 *
 * @param skewNanos how far front ends may disagree, in total
 * @param range the bounds of the offset; null if none are known
 * @param candidate first bounds, too far off the wall clock to be accepted without confirmation
 * @param confirmations how many responses agreed with the candidate
 * @param refutedUntil until when the clock is not trusted; null if it is trusted
 * @param undated whether the last response carried no date while the time was unknown
 */
public record IntervalClock(
        long skewNanos,
        @Nullable Range range,
        @Nullable Range candidate,
        int confirmations,
        @Nullable Long refutedUntil,
        boolean undated) {

    /** No known time. */
    public static final long UNKNOWN = Long.MIN_VALUE;

    private static final long MILLI = 1_000_000L;
    private static final long SECOND = 1_000 * MILLI;
    private static final long HOUR = 3_600 * SECOND;
    private static final long MAX_WALL_SHIFT = SECOND / 2;
    private static final long PRECISE = SECOND / 8;

    private static final int CONFIRMATIONS_NEEDED = 3;

    /**
     * Bounds of the store's time less the monotonic clock.
     *
     * @param low the lower bound, in nanoseconds
     * @param high the upper bound
     * @param atNanos when the bounds were exact, on the monotonic clock
     * @param wallOffset the wall clock less the monotonic clock at that moment
     */
    public record Range(long low, long high, long atNanos, long wallOffset) {

        /** Returns by how much the wall clock is ahead of the middle of the range. */
        public Duration wallSkew() {
            return Duration.ofNanos(wallOffset - (low + width() / 2));
        }

        /**
         * Returns the bounds at a later moment: wider by their age, and by the shift of the wall clock against the
         * monotonic clock, which may have stopped for that long.
         */
        Range at(long nanos, long wallOffsetNow) {
            long widening = Drift.allowance(Math.max(0, nanos - atNanos));
            long shift = wallOffsetNow - wallOffset;
            return new Range(
                    low - widening + Math.min(0, shift), high + widening + Math.max(0, shift), nanos, wallOffsetNow);
        }

        public long width() {
            return high - low;
        }

        boolean overlaps(Range other) {
            return low <= other.high && other.low <= high;
        }

        Range intersect(Range newer) {
            return new Range(Math.max(low, newer.low), Math.min(high, newer.high), newer.atNanos, newer.wallOffset);
        }

        /** Returns how far the bounds are off the wall clock. */
        long distanceToWall() {
            return Math.max(0, Math.max(low - wallOffset, wallOffset - high));
        }

        boolean isWallShifted(long wallOffsetNow) {
            return Math.abs(wallOffsetNow - wallOffset) > MAX_WALL_SHIFT;
        }
    }

    public static IntervalClock empty(Duration maxSkew) {
        return new IntervalClock(Durations.nanos(maxSkew), null, null, 0, null, false);
    }

    /** Whether the store's time is unknown at this moment. */
    public boolean isVoid(long nanos, Instant wall) {
        return range == null || nanos - range.atNanos() > HOUR || range.isWallShifted(offset(wall, nanos));
    }

    /** Whether a contradiction was seen within the last hour. */
    public boolean isRefuted(long nanos) {
        return refutedUntil != null && nanos - refutedUntil < 0;
    }

    /** Returns the bounds at this moment; null if void. */
    @Nullable
    public Range rangeAt(long nanos, Instant wall) {
        return isVoid(nanos, wall) ? null : reference(nanos, wall);
    }

    /**
     * Returns bounds at this moment that may be too wide for comparing ends; null if no response has carried a date.
     */
    @Nullable
    public Range reference(long nanos, Instant wall) {
        return range == null ? null : range.at(nanos, offset(wall, nanos));
    }

    /** Returns the upper bound of the store's time, or {@link #UNKNOWN} if it is not trusted. */
    public long latestMillis(long nanos, Instant wall) {
        Range bounds = isRefuted(nanos) ? null : reference(nanos, wall);
        return bounds == null ? UNKNOWN : Math.floorDiv(nanos + bounds.high(), MILLI) + 1;
    }

    /** Whether the known time is more than an hour off the wall clock, so that one of the two is wrong. */
    public boolean isFarOffTheWallClock() {
        return range != null && range.distanceToWall() > HOUR;
    }

    /**
     * Returns the last moment up to the given one at which the store's time is equally likely to be before or after a
     * full second: a response sent then shows which, and halves the uncertainty. Null if the time is unknown,
     * or so well known that a sample is not worthwhile.
     */
    @Nullable
    public Long mostInformativeTimeUpTo(long nanos, Instant wall) {
        Range bounds = isRefuted(nanos) ? null : rangeAt(nanos, wall);
        if (bounds == null || bounds.width() - skewNanos <= PRECISE) {
            return null;
        }
        long middle = bounds.low() + bounds.width() / 2;
        return nanos - Math.floorMod(nanos + middle, SECOND);
    }

    /**
     * Adds a response that carried a date.
     *
     * @param wallShiftNanos how far the wall clock shifted against the monotonic clock while the request was in flight
     */
    public IntervalClock withSample(
            long sentNanos, long receivedNanos, long wallShiftNanos, Instant date, Instant wall) {
        long dated = date.getEpochSecond() * SECOND;
        long wallOffset = offset(wall, receivedNanos);
        Range sample = new Range(
                        dated - receivedNanos - skewNanos / 2,
                        dated + SECOND - sentNanos + skewNanos / 2,
                        sentNanos,
                        wallOffset - wallShiftNanos)
                .at(receivedNanos, wallOffset);
        Range current = reference(receivedNanos, wall);
        if (current == null) {
            return sample.distanceToWall() > HOUR ? unconfirmed(sample) : accepting(sample, refutedUntil);
        }
        return current.overlaps(sample)
                ? accepting(current.intersect(sample), refutedUntil)
                : refuted(receivedNanos + HOUR);
    }

    /** Adds a response without a date. */
    public IntervalClock withUndatedResponse(long nanos, Instant wall) {
        return new IntervalClock(skewNanos, range, candidate, confirmations, refutedUntil, isVoid(nanos, wall));
    }

    private IntervalClock accepting(Range accepted, @Nullable Long refuted) {
        return new IntervalClock(skewNanos, accepted, null, 0, refuted, false);
    }

    private IntervalClock refuted(long until) {
        return new IntervalClock(skewNanos, range, null, 0, until, false);
    }

    private IntervalClock unconfirmed(Range sample) {
        Range earlier = candidate == null || candidate.isWallShifted(sample.wallOffset())
                ? null
                : candidate.at(sample.atNanos(), sample.wallOffset());
        if (earlier == null || !earlier.overlaps(sample)) {
            return new IntervalClock(skewNanos, range, sample, 0, refutedUntil, false);
        }
        Range intersection = earlier.intersect(sample);
        return confirmations + 1 >= CONFIRMATIONS_NEEDED
                ? accepting(intersection, refutedUntil)
                : new IntervalClock(skewNanos, range, intersection, confirmations + 1, refutedUntil, false);
    }

    private static long offset(Instant wall, long nanos) {
        return wall.getEpochSecond() * SECOND + wall.getNano() - nanos;
    }
}
