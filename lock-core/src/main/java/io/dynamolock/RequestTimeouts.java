/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;

/**
 * How long a request may take.
 *
 * @param attempt by itself, once it is sent
 * @param inAll together with the wait for its turn
 */
record RequestTimeouts(Duration attempt, Duration inAll) {

    /** For a request that needs no turn. */
    static RequestTimeouts of(Duration attempt) {
        return new RequestTimeouts(attempt, attempt);
    }

    /** What remains for the request itself after a wait. */
    Duration after(long waitedNanos) {
        Duration left = inAll.minusNanos(waitedNanos);
        return Durations.max(Durations.min(attempt, left), Duration.ofMillis(1));
    }
}
