/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Timeouts of a request.
 *
 * @param attempt for the request itself, once it is sent
 * @param total including the wait for a permit
 */
record RequestTimeouts(Duration attempt, Duration total) {

    /** Shortest time in which a response is likely: a write given less would usually time out and need an undo. */
    static final Duration MIN_USEFUL = Duration.ofMillis(20);

    /** Returns the timeouts of a request that needs no permit. */
    static RequestTimeouts of(Duration attempt) {
        return new RequestTimeouts(attempt, attempt);
    }

    /** Returns the time left for the request itself after a wait; null if that is too little for a response. */
    @Nullable
    Duration afterWaiting(long waitedNanos) {
        Duration remaining = Durations.min(attempt, total.minusNanos(waitedNanos));
        return remaining.compareTo(Durations.min(attempt, MIN_USEFUL)) < 0 ? null : remaining;
    }
}
