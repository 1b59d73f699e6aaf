/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * Whether the store answers this manager at all, and how many requests at once it can take. Many requests in a row without an
 * answer, whatever their locks, mean that it is away; locks whose own requests fail or hang are none of its business, as others
 * are answered meanwhile. A store that refuses or throttles is not away.
 *
 * <p>Requests that are slow because there are too many of them only get slower by more: a machine that is short of time answers
 * none before its timeout, and does all the work. So after an outage, and in a process that has just started, there are few at
 * once, and one more each time that all of these were answered. Pure. Safe for use by several threads.
 */
final class StoreAvailability {

    private static final int AWAY_AFTER = 10;
    private static final int FEWEST = 4;
    private static final int MOST = 64;

    private int failures;
    private int answers;
    private volatile long responses;
    private volatile int concurrencyLimit = 2 * FEWEST;

    /** Counts the responses so far: to be passed to {@link #failed} for a request that is sent now. */
    long responses() {
        return responses;
    }

    /**
     * A request was not answered. It says nothing of the store if others were answered while it hung.
     *
     * @param responsesWhenSent what {@link #responses} returned when it was sent
     */
    synchronized void failed(long responsesWhenSent) {
        if (responses != responsesWhenSent) {
            return;
        }
        failures++;
        if (isDown()) {
            concurrencyLimit = FEWEST;
            answers = 0;
        }
    }

    /** A request was answered, whatever the answer says. Returns whether the store was away until now. */
    synchronized boolean answered() {
        boolean back = responded();
        answers++;
        if (answers >= concurrencyLimit) {
            concurrencyLimit = Math.min(concurrencyLimit + 1, MOST);
            answers = 0;
        }
        return back;
    }

    /**
     * A request was turned away: this says nothing of how many are answered at once. Returns whether the store was away until
     * now.
     */
    boolean refused() {
        return responded();
    }

    private synchronized boolean responded() {
        boolean back = isDown();
        responses = responses + 1;
        failures = 0;
        return back;
    }

    synchronized boolean isDown() {
        return failures >= AWAY_AFTER;
    }

    /** How many requests may be under way in the background. */
    int concurrencyLimit() {
        return concurrencyLimit;
    }
}
