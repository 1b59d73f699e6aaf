/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** The DynamoDB client of one process: sends requests over the simulated network to the simulated table. */
final class SimClient implements DynamoDbClient {

    private static final Duration USUAL = Duration.ofSeconds(3);

    private @Nullable SimProcess process;
    private @Nullable SimNet net;

    void serve(SimProcess nextProcess, SimNet nextNet) {
        process = nextProcess;
        net = nextNet;
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
        return (UpdateItemResponse) send(request);
    }

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
        return (GetItemResponse) send(request);
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
        return (TransactWriteItemsResponse) send(request);
    }

    private Object send(DynamoDbRequest request) {
        Duration timeout = request.overrideConfiguration()
                .flatMap(AwsRequestOverrideConfiguration::apiCallTimeout)
                .orElse(USUAL);
        return Objects.requireNonNull(net).send(Objects.requireNonNull(process), request, timeout);
    }

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    @Override
    public void close() {
        // nothing to close
    }
}
