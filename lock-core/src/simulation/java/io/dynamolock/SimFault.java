/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/** All kinds of faults. */
enum SimFault {
    REQUEST_LOST,
    RESPONSE_LOST,
    REQUEST_LATE,
    RESPONSE_LATE,
    DOUBLED,
    THROTTLED,
    SERVER_ERROR,
    NO_CONNECTION,
    OUTAGE,
    OLD_READ,
    DATE_ABSENT,
    DATE_GARBAGE,
    DATE_ABSURD,
    DATE_CACHED,
    FRONT_ENDS_DIFFER,
    MONOTONIC_DRIFT,
    WALL_OFFSET,
    WALL_STEP,
    PAUSE,
    PAUSE_BEFORE_SENDING,
    SUSPENSION,
    CRASH,
    INTERRUPT,

    /** All clocks of a machine stop. */
    FREEZE(true, false),
    /** Front ends differ by more than the allowed skew. */
    FRONT_ENDS_APART(true, false),
    /** An intermediary responds with an old date without marking it. */
    DATE_OLD(true, false),
    /** Wall clocks that matter differ by more than the allowed skew. */
    WALL_APART(true, false),
    ROW_DELETED(true, true),
    ROW_PUT_BACK(true, true),
    /** From some time on, all dates of a front end are wrong by the same half hour to a day. */
    DATES_WRONG,
    /** A machine is suspended between two steps of a process, or between two clock reads. */
    SUSPENSION_BETWEEN,
    /** A row is changed in a way the library never does, or by a later version. */
    ROW_FORGED(true, true),
    /** A lease token is forged. */
    TOKEN_FORGED;

    private final boolean breaksAssumption;
    private final boolean changesRow;

    SimFault() {
        this(false, false);
    }

    SimFault(boolean breaksAssumption, boolean changesRow) {
        this.breaksAssumption = breaksAssumption;
        this.changesRow = changesRow;
    }

    /** Returns whether exclusion is not guaranteed under this fault. */
    boolean breaksAssumption() {
        return breaksAssumption;
    }

    /** Returns whether rows are written outside the library. */
    boolean changesRow() {
        return changesRow;
    }
}
