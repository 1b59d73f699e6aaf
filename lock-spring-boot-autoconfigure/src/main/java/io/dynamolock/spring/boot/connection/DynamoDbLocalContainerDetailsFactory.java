/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot.connection;

import org.testcontainers.containers.Container;

/** Connects to containers of DynamoDB Local, for which Testcontainers has no class. */
final class DynamoDbLocalContainerDetailsFactory extends ContainerDetailsFactory<Container<?>> {

    /** Creates the factory. Called by Spring. */
    DynamoDbLocalContainerDetailsFactory() {
        super(LocalDynamoDbDetails.DYNAMODB_LOCAL, LocalDynamoDbDetails.DYNAMODB_LOCAL_PORT);
    }
}
