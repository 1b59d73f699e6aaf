/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/** Everything that can go wrong. */
enum SimFault {
    REQUEST_LOST,
    ANSWER_LOST,
    REQUEST_LATE,
    ANSWER_LATE,
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

    /** All of its machine's clocks stand still. */
    FREEZE(true, false),
    /** Front ends differ by more than the allowed skew. */
    FRONT_ENDS_APART(true, false),
    /** Something in between answers with an old date and does not say so. */
    DATE_OLD(true, false),
    /** Wall clocks that count differ by more than the allowed skew. */
    WALL_APART(true, false),
    ROW_DELETED(true, true),
    ROW_PUT_BACK(true, true),
    /** From some moment on a front end renders all its dates wrong, by the same half hour to a day. */
    DATES_WRONG,
    /** A machine is suspended between two steps of a process, or between two readings of its clocks. */
    SUSPENSION_BETWEEN,
    /** Somebody writes into a row what the library never writes, or a later version does. */
    ROW_FORGED(true, true),
    /** Somebody who was given no lease makes a token for one. */
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

    /** Whether exclusion is not promised under it. */
    boolean breaksAssumption() {
        return breaksAssumption;
    }

    /** Whether somebody else than the library writes the library's rows. */
    boolean changesRow() {
        return changesRow;
    }
}
