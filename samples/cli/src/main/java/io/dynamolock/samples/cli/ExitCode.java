/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

/** Exit codes of this program itself: those of {@code sysexits.h} and of shells. */
final class ExitCode {

    static final int OK = 0;

    /** The command line is wrong. */
    static final int USAGE = 64;

    /** Something failed, or the lock was lost while the command ran. */
    static final int ERROR = 70;

    /** Another process holds the lock. */
    static final int BUSY = 75;

    /** The command was found, but cannot be run. */
    static final int NOT_EXECUTABLE = 126;

    /** The command was not found. */
    static final int NOT_FOUND = 127;

    /** Added to the number of the signal that ended a process. */
    static final int SIGNAL = 128;

    private ExitCode() {}
}
