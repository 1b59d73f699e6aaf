/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb.dax;

import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** A client that looks like one for DynamoDB Accelerator by its package name. */
public class AsyncAcceleratorClient implements DynamoDbAsyncClient {

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    @Override
    public void close() {
        // nothing to close
    }
}
