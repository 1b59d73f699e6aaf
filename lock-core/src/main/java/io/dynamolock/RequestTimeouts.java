/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long a request may take.
 *
 * @param attempt by itself, once it is sent
 * @param inAll together with the wait for its turn
 */
record RequestTimeouts(Duration attempt, Duration inAll) {

    /** Shortest time in which an answer is likely: a write given less would usually time out and need an undo. */
    static final Duration LEAST = Duration.ofMillis(20);

    /** For a request that needs no turn. */
    static RequestTimeouts of(Duration attempt) {
        return new RequestTimeouts(attempt, attempt);
    }

    /** What remains for the request itself after a wait; null if that is too little to be answered. */
    @Nullable
    Duration after(long waitedNanos) {
        Duration left = Durations.min(attempt, inAll.minusNanos(waitedNanos));
        return left.compareTo(Durations.min(attempt, LEAST)) < 0 ? null : left;
    }
}
