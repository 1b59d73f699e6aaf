/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot.connection;

import org.testcontainers.localstack.LocalStackContainer;

/** Connects to containers of LocalStack. */
final class LocalStackContainerDetailsFactory extends ContainerDetailsFactory<LocalStackContainer> {

    /** Creates the factory. Called by Spring. */
    LocalStackContainerDetailsFactory() {
        super(ANY_CONNECTION_NAME, LocalDynamoDbDetails.LOCALSTACK_PORT);
    }
}
