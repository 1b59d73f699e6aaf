/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.function.Consumer;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClientBuilder;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** Both kinds of clients on a faulty network. */
final class FaultyClients {

    private FaultyClients() {}

    static DynamoDbClient blocking(FaultyHttpClient http, Consumer<AwsClientBuilder<?, ?>> options) {
        DynamoDbClientBuilder builder = LocalDynamoDb.newClient().httpClient(http);
        options.accept(builder);
        return builder.build();
    }

    /** Creates an asynchronous client, as the library uses it. */
    static DynamoDbClient asynchronous(FaultyHttpClient http, Consumer<AwsClientBuilder<?, ?>> options) {
        DynamoDbAsyncClientBuilder builder = LocalDynamoDb.newAsyncClient().httpClient(new FaultyAsyncHttpClient(http));
        options.accept(builder);
        return new BlockingClient(builder.build());
    }
}
