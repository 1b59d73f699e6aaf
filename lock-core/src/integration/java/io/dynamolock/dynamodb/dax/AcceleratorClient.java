/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb.dax;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** As far as its name tells, a client for DynamoDB Accelerator. */
public class AcceleratorClient implements DynamoDbClient {

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    @Override
    public void close() {
        // Nothing is open
    }
}
