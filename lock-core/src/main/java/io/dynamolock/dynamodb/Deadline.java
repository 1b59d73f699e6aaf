/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.time.Duration;

/** The time left for a task of several requests. */
final class Deadline {

    private static final Duration LONGEST_REQUEST = Duration.ofSeconds(10);
    private static final Duration SHORTEST_REQUEST = Duration.ofMillis(1);

    private static final Duration LAST_REQUEST = Duration.ofSeconds(1);

    private final Clocks clocks;
    private final Duration timeout;
    private final long end;

    /**
     * Time that a pause leaves for a last request. Much less would rarely suffice for a response, and a timeout would
     * hide what earlier responses have shown.
     */
    private final Duration lastRequest;

    Deadline(Clocks clocks, Duration timeout) {
        this.clocks = clocks;
        this.timeout = timeout;
        this.end = clocks.nanoTime() + timeout.toNanos();
        this.lastRequest = smaller(LAST_REQUEST, timeout.dividedBy(4));
    }

    Duration timeout() {
        return timeout;
    }

    Duration forRequest() {
        return smaller(LONGEST_REQUEST, larger(SHORTEST_REQUEST, remaining()));
    }

    /**
     * Pauses, for less than the given time if no other request could follow then. Returns whether the time left
     * afterwards is enough for one; does not pause if it could not be.
     */
    boolean pause(Duration time) throws InterruptedException {
        long longest = remaining().minus(lastRequest).toMillis();
        if (longest <= 0) {
            return false;
        }
        clocks.sleep(smaller(time, Duration.ofMillis(longest)));
        return remaining().compareTo(lastRequest.dividedBy(2)) >= 0;
    }

    private Duration remaining() {
        return Duration.ofNanos(end - clocks.nanoTime());
    }

    private static Duration smaller(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Duration larger(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
