/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.dynamodb.LockTable;
import io.dynamolock.dynamodb.TableState;
import java.io.PrintStream;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@Command(
        name = "create-table",
        customSynopsis = "dynamolock create-table [OPTION...]",
        description =
                "Creates the table unless it exists, with TTL and on-demand billing, and waits until it is ready.",
        sortOptions = false,
        optionListHeading = "%nOptions:%n")
final class CreateTableCommand implements Runnable {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final PrintStream out;

    @Mixin
    private TableOptions table = new TableOptions();

    @Mixin
    private NewTableOptions newTable = new NewTableOptions();

    CreateTableCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public void run() {
        try (DynamoDbClient client = table.client()) {
            LockTable locks = table.store(client)
                    .deletionProtection(newTable.deletionProtection())
                    .pointInTimeRecovery(newTable.pointInTimeRecovery())
                    .build()
                    .table();
            locks.createIfMissing(TIMEOUT);
            TableState state = locks.describe();
            out.printf(
                    "table '%s' in %s: %s, billing %s, TTL %s on '%s'%n",
                    state.name(),
                    state.region(),
                    state.status(),
                    state.billingMode(),
                    state.ttlStatus(),
                    state.ttlAttribute());
        }
    }
}
