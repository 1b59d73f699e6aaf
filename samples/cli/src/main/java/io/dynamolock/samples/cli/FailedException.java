/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

/** A command failed, for a reason that the message states completely. */
final class FailedException extends RuntimeException {

    private final int exitCode;

    FailedException(String message) {
        this(message, ExitCode.ERROR);
    }

    FailedException(String message, int exitCode) {
        super(message);
        this.exitCode = exitCode;
    }

    FailedException(String message, Throwable cause) {
        super(message, cause);
        this.exitCode = ExitCode.ERROR;
    }

    int exitCode() {
        return exitCode;
    }
}
