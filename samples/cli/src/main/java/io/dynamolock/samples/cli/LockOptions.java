/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.LockManager;
import io.dynamolock.LockManagerBuilder;
import java.util.function.UnaryOperator;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Options of the commands for one lock. */
final class LockOptions {

    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the lock.")
    private String name = "";

    @Option(
            names = "--name-prefix",
            paramLabel = "PREFIX",
            order = 103,
            description = "Prefix of all names, for applications that share a table.")
    private String namePrefix = "";

    @Mixin
    private TableOptions table = new TableOptions();

    /** Work with a lock manager. */
    interface Work<T> {
        T with(LockManager locks) throws Exception;
    }

    String name() {
        return name;
    }

    <T> T call(Work<T> work) throws Exception {
        return call(UnaryOperator.identity(), work);
    }

    <T> T call(UnaryOperator<LockManagerBuilder> settings, Work<T> work) throws Exception {
        try (DynamoDbClient client = table.client();
                LockManager locks = settings.apply(
                                LockManager.builder(table.store(client).build()).namePrefix(namePrefix))
                        .build()) {
            return work.with(locks);
        }
    }
}
