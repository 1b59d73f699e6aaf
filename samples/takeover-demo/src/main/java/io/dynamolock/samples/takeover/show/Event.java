/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * An event of one process. All processes run on one machine, so their instants can be compared.
 *
 * @param at the instant
 * @param worker the process
 * @param kind the kind
 * @param lock the lock concerned; empty if none
 * @param token the fencing token; 0 without a lock
 * @param detail further text; may be empty
 */
record Event(Instant at, String worker, Kind kind, String lock, long token, String detail) {

    private static final String SEPARATOR = "\t";
    private static final int FIELDS = 6;

    enum Kind {
        /** The lock is busy. */
        WAITING,
        ACQUIRED,
        /** The section that the lock protects begins. */
        ENTERED,
        RENEWED,
        /** The section ends. */
        LEFT,
        RELEASED,
        LOST,
        /** The wait time elapsed. */
        GAVE_UP,
        /** The launcher killed this worker. */
        KILLED,
        /** The worker's process ended. */
        ENDED,
        /** Other output of the process. */
        SAID
    }

    /** Formats the event as one line. */
    String line() {
        return String.join(SEPARATOR, at.toString(), worker, kind.name(), lock, Long.toString(token), detail);
    }

    /** Parses a line written by {@link #line()}; empty for any other text. */
    static Optional<Event> parse(String line) {
        String[] fields = line.split(SEPARATOR, FIELDS);
        if (fields.length != FIELDS) {
            return Optional.empty();
        }
        try {
            Instant at = Instant.parse(fields[0]);
            return Optional.of(
                    new Event(at, fields[1], Kind.valueOf(fields[2]), fields[3], Long.parseLong(fields[4]), fields[5]));
        } catch (DateTimeException | IllegalArgumentException otherText) {
            return Optional.empty();
        }
    }

    boolean is(Kind wanted, String wantedLock) {
        return kind == wanted && lock.equals(wantedLock);
    }
}
