/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.quickstart.show;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * One thing that happened. All processes run on one machine, so their instants can be compared.
 *
 * @param at when
 * @param worker to whom
 * @param kind what
 * @param lock which lock it is about; empty if none
 * @param token the fencing token; 0 without a lock
 * @param detail what else there is to say
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
        /** The wait time was over. */
        GAVE_UP,
        /** The launcher killed this worker. */
        KILLED,
        /** The worker's process ended. */
        ENDED,
        /** The process said something else. */
        SAID
    }

    /** Writes it as one line. */
    String line() {
        return String.join(SEPARATOR, at.toString(), worker, kind.name(), lock, Long.toString(token), detail);
    }

    /** Reads a line that {@link #line()} wrote; empty for any other text. */
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
