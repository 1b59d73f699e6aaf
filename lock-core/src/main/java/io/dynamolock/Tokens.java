/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Proposes fencing tokens, as ballots: the middle of now in milliseconds times 1024, above every token known to be used up.
 * Being a time, a token survives the deletion of its row. Below 2^53 until the year 2248.
 */
final class Tokens {

    private static final long PER_MILLI = 1024;

    private final AtomicLong last;

    Tokens() {
        this(0);
    }

    /** Creates tokens that are above one that was proposed before. */
    Tokens(long last) {
        this.last = new AtomicLong(last);
    }

    static long at(long millis) {
        return millis * PER_MILLI;
    }

    long last() {
        return last.get();
    }

    long propose(ClockReading now, long highestSeen) {
        long byClock = at(now.middleMillis());
        long fresh = last.updateAndGet(before -> Math.max(before + 1, byClock));
        return Math.max(fresh, highestSeen + 1);
    }
}
