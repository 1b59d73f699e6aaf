/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.dynamodb.DynamoDbLockStore;
import picocli.CommandLine.Option;

/** Options of the commands that only name the table in what they print. */
final class NamedTable {

    @Option(
            names = "--table",
            paramLabel = "TABLE",
            order = 100,
            description = "Name of the table (default: ${DEFAULT-VALUE}).")
    private String table = DynamoDbLockStore.DEFAULT_TABLE_NAME;

    /** A name as DynamoDB allows it, which can be part of any text. */
    String name() {
        return required("--table", table, "[\\w.-]{3,255}", "3 to 255 letters, digits and any of _.-");
    }

    /** Rejects a value that is no such name: what is printed should work as it is, and contain nothing else. */
    static String required(String option, String value, String pattern, String rule) {
        if (!value.matches(pattern)) {
            throw new UsageException("%s must be %s: '%s'".formatted(option, rule, value));
        }
        return value;
    }
}
