/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import picocli.CommandLine.Option;

/** Options of a new table. */
final class NewTableOptions {

    @Option(names = "--deletion-protection", order = 1, description = "Protect the table from being deleted.")
    private boolean deletionProtection;

    @Option(names = "--point-in-time-recovery", order = 2, description = "Keep continuous backups.")
    private boolean pointInTimeRecovery;

    boolean deletionProtection() {
        return deletionProtection;
    }

    boolean pointInTimeRecovery() {
        return pointInTimeRecovery;
    }
}
