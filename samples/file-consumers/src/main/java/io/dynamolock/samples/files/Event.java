/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.files;

/**
 * Something that a consumer does.
 *
 * @param consumer the process
 * @param kind what it does
 * @param detail the file, the line, or other text
 */
record Event(String consumer, Kind kind, String detail) {

    enum Kind {
        BEGINS,
        /** Is about to store the line in the middle, and waits for the launcher. */
        MIDDLE,
        FINISHED,
        /** The table rejected a line. */
        REJECTED,
        LOST,
        EXIT,
        /** Other output. */
        SAYS,
        /** The launcher sent a signal. */
        KILLED,
        STOPPED,
        WOKEN,
        /** The launcher's time of a pause has elapsed. */
        ELAPSED
    }

    /** Reports an event of this process, by its standard output. */
    static void report(Kind kind, String detail) {
        System.out.println(kind + "\t" + detail);
    }

    /** Parses a line that another process has printed. */
    static Event parse(String consumer, String line) {
        String[] fields = line.split("\t", -1);
        return fields.length == 2
                ? new Event(consumer, Kind.valueOf(fields[0]), fields[1])
                : new Event(consumer, Kind.SAYS, line);
    }
}
