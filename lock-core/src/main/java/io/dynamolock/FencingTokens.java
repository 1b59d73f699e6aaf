/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.IntervalClock;
import java.time.Duration;
import java.time.LocalDate;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Proposes fencing tokens, as ballot numbers: the midpoint of the current time in milliseconds times 1024, above every
 * token known to be used. Because it is derived from time, a token survives the deletion of its row; it stays below
 * 2^53 until the year 2248, so that it is exact as a JSON number.
 */
final class FencingTokens {

    private static final long PER_MILLI = 1024;

    /** How far tokens may be ahead of the clock unless a row requires more. */
    private static final long MAX_AHEAD = Duration.ofDays(1).toMillis() * PER_MILLI;

    private static final long EARLIEST_MILLIS = startOf(2020);
    private static final long LATEST_MILLIS = startOf(2100);

    private final AtomicLong last;

    FencingTokens() {
        this(0);
    }

    /** Creates a source of tokens above one that was proposed before. */
    FencingTokens(long last) {
        this.last = new AtomicLong(last);
    }

    private static long startOf(int year) {
        return Duration.ofDays(LocalDate.of(year, 1, 1).toEpochDay()).toMillis();
    }

    static long at(long millis) {
        return millis * PER_MILLI;
    }

    long last() {
        return last.get();
    }

    /**
     * Whether a clock is available that tokens can be derived from. Tokens from a clock that is decades off would be
     * worse than none: once the row is deleted, tokens by the right clock are lower, and every fenced resource rejects
     * them.
     */
    static boolean canPropose(ClockReading now) {
        return isPlausible(millis(now));
    }

    private static boolean isPlausible(long millis) {
        return millis >= EARLIEST_MILLIS && millis < LATEST_MILLIS;
    }

    private static long millis(ClockReading now) {
        boolean usesMiddle = now.storeMillis() == IntervalClock.UNKNOWN || isPlausible(now.middleMillis());
        return usesMiddle ? now.middleMillis() : now.storeMillis();
    }

    /**
     * Proposes a token.
     *
     * @param demanded the highest token in the row that the proposal responds to, however far ahead of the clock; 0 if
     *     there is no such row
     */
    long propose(ClockReading now, long demanded) {
        return propose(now, 0, demanded);
    }

    /**
     * Proposes a token.
     *
     * @param remembered the highest token that was observed earlier: ignored if it is far ahead of the clock, as an
     *     operator may have lowered it since
     */
    long propose(ClockReading now, long remembered, long demanded) {
        long byClock = at(millis(now));
        long previous;
        long fresh;
        do {
            previous = last.get();
            fresh = previous - byClock > MAX_AHEAD ? byClock : Math.max(previous + 1, byClock);
        } while (!last.compareAndSet(previous, fresh));
        long followed = remembered - byClock > MAX_AHEAD ? demanded : Math.max(remembered, demanded);
        return Math.min(Math.max(fresh, followed + 1), LockRow.HIGHEST_TOKEN);
    }
}
