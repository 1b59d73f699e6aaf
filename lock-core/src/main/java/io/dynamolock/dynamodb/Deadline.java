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

    /** Less would rarely suffice for a response, and a timeout would hide what earlier responses have shown. */
    private static final Duration SHORTEST_REST = Duration.ofMillis(100);

    private final Clocks clocks;
    private final Duration timeout;
    private final long end;

    Deadline(Clocks clocks, Duration timeout) {
        this.clocks = clocks;
        this.timeout = timeout;
        this.end = clocks.nanoTime() + timeout.toNanos();
    }

    Duration timeout() {
        return timeout;
    }

    Duration forRequest() {
        return smaller(LONGEST_REQUEST, larger(SHORTEST_REQUEST, remaining()));
    }

    /** Pauses, and returns whether the time left afterwards is enough for another request. */
    boolean pause(Duration time) throws InterruptedException {
        clocks.sleep(smaller(time, larger(Duration.ZERO, remaining())));
        return remaining().compareTo(SHORTEST_REST) >= 0;
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
