/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb.dax;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** A client that looks like one for DynamoDB Accelerator by its package name. */
public class AcceleratorClient implements DynamoDbClient {

    @Override
    public String serviceName() {
        return SERVICE_NAME;
    }

    @Override
    public void close() {
        // nothing to close
    }
}
