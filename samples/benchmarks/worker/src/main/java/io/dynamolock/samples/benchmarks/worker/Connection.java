/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.net.URI;
import java.time.Duration;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.client.builder.AwsClientBuilder;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.http.apache5.Apache5HttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/** Clients with the defaults of the AWS SDK, whose requests are counted, and the settings that all libraries share. */
public final class Connection {

    private final URI endpoint;
    private final String table;
    private final Duration lease;
    private final boolean retries;
    private final Requests requests = new Requests();

    Connection(Arguments arguments) {
        this.endpoint = URI.create(arguments.text("endpoint"));
        this.table = arguments.text("table");
        this.lease = arguments.seconds("lease");
        this.retries = Boolean.parseBoolean(arguments.text("retries"));
    }

    /**
     * Returns the name of the table.
     *
     * @return the table name
     */
    public String table() {
        return table;
    }

    /**
     * Returns the duration of each lease. Libraries with a heartbeat renew three times in that time.
     *
     * @return the lease duration
     */
    public Duration lease() {
        return lease;
    }

    /**
     * Whether clients have the retries of the SDK.
     *
     * @return false if they are for locks only
     */
    public boolean hasRetries() {
        return retries;
    }

    /**
     * Returns a client.
     *
     * @return a new client
     */
    public DynamoDbClient client() {
        return builder().build();
    }

    /**
     * Returns a client as a library configures it.
     *
     * @param plugin of that library
     * @return a new client
     */
    public DynamoDbClient client(SdkPlugin plugin) {
        return builder().addPlugin(plugin).build();
    }

    private DynamoDbClientBuilder builder() {
        return configured(DynamoDbClient.builder().httpClientBuilder(Apache5HttpClient.builder()));
    }

    /**
     * Returns an asynchronous client.
     *
     * @return a new client
     */
    public DynamoDbAsyncClient asyncClient() {
        return configured(DynamoDbAsyncClient.builder()).build();
    }

    private <B extends AwsClientBuilder<B, ?>> B configured(B builder) {
        return builder.endpointOverride(endpoint)
                .region(Region.of("local"))
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("local", "local")))
                .overrideConfiguration(options -> {
                    options.addExecutionInterceptor(requests);
                    if (!retries) {
                        options.retryStrategy(AwsRetryStrategy.doNotRetry());
                    }
                });
    }

    Requests requests() {
        return requests;
    }
}
