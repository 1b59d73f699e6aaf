/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.time.Duration;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Set-up of tests in which requests fail, on a client with the SDK's default settings, which would retry. */
abstract class FailingStore {

    static final String TABLE = LocalDynamoDb.newTable();
    static final Duration GENEROUS = Duration.ofSeconds(10);
    static final Duration SHORT = Duration.ofMillis(200);

    final FaultyHttpClient http = new FaultyHttpClient(LocalDynamoDb.newHttpClient());
    final DynamoDbClient client = newClient(options -> {});
    final DynamoDbLockStore store = storeOn(client);

    /** Creates a client on the faulty network, with the SDK's default settings except for these. */
    DynamoDbClient newClient(Consumer<AwsClientBuilder<?, ?>> options) {
        return FaultyClients.blocking(http, options);
    }

    /** Creates a client that closes its connections when it is closed. */
    DynamoDbClient newClientWithOwnConnections() {
        return LocalDynamoDb.newClient()
                .httpClientBuilder(Apache5HttpClient.builder())
                .build();
    }

    @AfterEach
    void close() {
        client.close();
    }

    static DynamoDbLockStore storeOn(DynamoDbClient client) {
        return DynamoDbLockStore.builder(client).tableName(TABLE).build();
    }
}
