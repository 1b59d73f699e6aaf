/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import io.dynamolock.dynamodb.LocalDynamoDb;
import java.util.Map;
import java.util.Objects;
import org.springframework.context.ApplicationContext;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Writes rows that the library would not write. */
public final class ClosedLocks {

    private ClosedLocks() {}

    /** Writes the row of a free lock without any fencing token left. */
    public static void close(ApplicationContext application, String name) {
        write(application, Map.of("lockName", fromS(name), "tokenFloor", fromN("9223372036854775807")));
    }

    public static void write(ApplicationContext application, Map<String, AttributeValue> row) {
        String table = Objects.requireNonNull(application.getEnvironment().getProperty("dynamolock.table.name"));
        LocalDynamoDb.client().putItem(put -> put.tableName(table).item(row));
    }
}
