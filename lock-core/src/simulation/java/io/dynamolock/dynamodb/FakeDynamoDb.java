/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * A client whose requests reach a simulated table immediately.
 *
 * @param table the table
 */
public record FakeDynamoDb(FakeTable table) implements DynamoDbClient {

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
        return table.updateItem(request);
    }

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
        return table.getItem(request);
    }

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    @Override
    public void close() {
        // has nothing to close
    }
}
