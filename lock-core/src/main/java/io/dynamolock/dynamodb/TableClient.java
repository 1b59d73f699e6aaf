/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.SdkPlugin;
import software.amazon.awssdk.core.SdkServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.CreateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTableResponse;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeTimeToLiveResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateContinuousBackupsRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateContinuousBackupsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateTimeToLiveResponse;

/**
 * A client for requests about a table: with a timeout, but with the retries that the application has configured, since
 * no lease expires meanwhile and each request may be repeated.
 */
final class TableClient implements DynamoDbClient {

    private final DynamoDbClient client;
    private final NewTable newTable;
    private final Deadline deadline;
    private final ConnectionLimit connectionLimit;
    private final Function<Supplier<DescribeTableResponse>, DescribeTableResponse> described;

    TableClient(
            DynamoDbClient client,
            NewTable newTable,
            Deadline deadline,
            ConnectionLimit connectionLimit,
            Function<Supplier<DescribeTableResponse>, DescribeTableResponse> described) {
        this.client = client;
        this.newTable = newTable;
        this.deadline = deadline;
        this.connectionLimit = connectionLimit;
        this.described = described;
    }

    @Override
    public DescribeTableResponse describeTable(DescribeTableRequest request) {
        AwsRequestOverrideConfiguration.Builder limits = limits().toBuilder();
        connectionLimit.askWith(limits);
        return described.apply(() -> client.describeTable(
                request.toBuilder().overrideConfiguration(limits.build()).build()));
    }

    @Override
    public CreateTableResponse createTable(CreateTableRequest request) {
        return client.createTable(newTable.addTo(request.toBuilder())
                .overrideConfiguration(limits())
                .build());
    }

    @Override
    public DescribeTimeToLiveResponse describeTimeToLive(DescribeTimeToLiveRequest request) {
        return client.describeTimeToLive(
                request.toBuilder().overrideConfiguration(limits()).build());
    }

    @Override
    public UpdateTimeToLiveResponse updateTimeToLive(UpdateTimeToLiveRequest request) {
        return client.updateTimeToLive(
                request.toBuilder().overrideConfiguration(limits()).build());
    }

    @Override
    public UpdateContinuousBackupsResponse updateContinuousBackups(UpdateContinuousBackupsRequest request) {
        return client.updateContinuousBackups(
                request.toBuilder().overrideConfiguration(limits()).build());
    }

    /** Adds retries to a client without any: no other code retries a request about the table. */
    private AwsRequestOverrideConfiguration limits() {
        AwsRequestOverrideConfiguration.Builder limits =
                AwsRequestOverrideConfiguration.builder().apiCallTimeout(deadline.forRequest());
        if (!Clients.retries(client)) {
            limits.addPlugin(new Retrying());
        }
        return limits.build();
    }

    private static final class Retrying implements SdkPlugin {

        @Override
        public void configureClient(SdkServiceClientConfiguration.Builder client) {
            client.overrideConfiguration(client.overrideConfiguration()
                    .copy(own -> own.retryStrategy(AwsRetryStrategy.standardRetryStrategy())));
        }
    }

    @Override
    public String serviceName() {
        return client.serviceName();
    }

    @Override
    public void close() {
        // The client belongs to the application
    }
}
