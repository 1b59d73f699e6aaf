/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;

/**
 * A client for a single read through the enhanced client, which neither accepts limits for a request nor exposes the
 * headers of its response.
 */
final class ReadClient implements DynamoDbClient {

    private final DynamoDbClient client;
    private final AwsRequestOverrideConfiguration limits;
    private @Nullable SdkHttpResponse answer;

    ReadClient(DynamoDbClient client, AwsRequestOverrideConfiguration limits) {
        this.client = client;
        this.limits = limits;
    }

    @Nullable
    SdkHttpResponse answer() {
        return answer;
    }

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
        GetItemResponse response =
                client.getItem(request.toBuilder().overrideConfiguration(limits).build());
        answer = response.sdkHttpResponse();
        return response;
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
