/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

/** The command line is wrong in a way that its parser does not detect. */
final class UsageException extends RuntimeException {

    UsageException(String message) {
        super(message);
    }
}
