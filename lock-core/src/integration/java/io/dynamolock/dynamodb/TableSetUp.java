/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.dynamodb.FaultyHttpClient.Attempt;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Set-up of tests of a table that does not exist yet. */
abstract class TableSetUp {

    final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    final DynamoDbClient client = LocalDynamoDb.newClient().httpClient(http).build();
    final String name = LocalDynamoDb.newTableName();
    final DynamoDbLockStoreBuilder store = DynamoDbLockStore.builder(client).tableName(name);
    final CapturedLogs logs = new CapturedLogs();

    @AfterEach
    void close() {
        logs.close();
        client.close();
    }

    List<String> operations() {
        return http.attempts().stream().map(Attempt::operation).toList();
    }
}
