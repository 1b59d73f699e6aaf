/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import io.dynamolock.samples.takeover.show.Event.Kind;
import java.time.Instant;

/** Makes events of a second of the same minute. */
final class Events {

    static final Instant MINUTE = Instant.parse("2026-01-01T00:00:00Z");

    private Events() {}

    static Instant at(double second) {
        return MINUTE.plusMillis(Math.round(second * 1000));
    }

    static Event event(double second, String worker, Kind kind, String lock, long token) {
        return new Event(at(second), worker, kind, lock, token, "");
    }

    static Event entered(double second, String worker, String lock, long token) {
        return event(second, worker, Kind.ENTERED, lock, token);
    }

    static Event left(double second, String worker, String lock, long token) {
        return event(second, worker, Kind.LEFT, lock, token);
    }

    static Event killed(double second, String worker) {
        return event(second, worker, Kind.KILLED, "job-x", 0);
    }

    static Event ended(double second, String worker, String detail) {
        return new Event(at(second), worker, Kind.ENDED, "", 0, detail);
    }
}
