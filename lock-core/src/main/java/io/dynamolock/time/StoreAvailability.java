/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

/**
 * Tracks whether the store responds to this manager at all, and how many concurrent requests it can take. Many
 * consecutive requests without a response, whatever their locks, mean that it is down. Locks whose own requests fail or
 * hang do not count, as other requests get responses meanwhile. A store that rejects or throttles requests is not down.
 *
 * <p>Requests that are slow because there are too many of them only get slower by more: an overloaded machine responds
 * to none before its timeout, and still does all the work. After an outage, and in a process that has just started, the
 * limit is therefore low, and rises by one each time that a full limit of requests got responses. Pure. Safe for use by
 * several threads.
 */
public final class StoreAvailability {

    private static final int DOWN_AFTER_FAILURES = 10;
    private static final int MIN_LIMIT = 4;
    private static final int MAX_LIMIT = 64;

    private int failures;
    private int responsesSinceChange;
    private volatile long responses;
    private volatile int concurrencyLimit = 2 * MIN_LIMIT;

    /** Returns the number of responses so far, to be passed to {@link #failed} for a request that is sent now. */
    public long responses() {
        return responses;
    }

    /**
     * Records a request without a response. It does not count if other requests got responses while it hung.
     *
     * @param responsesWhenSent what {@link #responses} returned when it was sent
     */
    public synchronized void failed(long responsesWhenSent) {
        if (responses != responsesWhenSent) {
            return;
        }
        failures++;
        if (isDown()) {
            concurrencyLimit = MIN_LIMIT;
            responsesSinceChange = 0;
        }
    }

    /** Records a response, whatever its content. Returns whether the store was down until now. */
    public synchronized boolean answered() {
        boolean recovered = responded();
        responsesSinceChange++;
        if (responsesSinceChange >= concurrencyLimit) {
            concurrencyLimit = Math.min(concurrencyLimit + 1, MAX_LIMIT);
            responsesSinceChange = 0;
        }
        return recovered;
    }

    /**
     * Records a request that the store rejected: this says nothing about how many concurrent requests it can take.
     * Returns whether the store was down until now.
     */
    public boolean rejected() {
        return responded();
    }

    private synchronized boolean responded() {
        boolean recovered = isDown();
        responses = responses + 1;
        failures = 0;
        return recovered;
    }

    public synchronized boolean isDown() {
        return failures >= DOWN_AFTER_FAILURES;
    }

    /** Returns how many background requests may be in flight. */
    public int concurrencyLimit() {
        return concurrencyLimit;
    }
}
