/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot.connection;

import io.dynamolock.spring.boot.DynamolockConnectionDetails;
import java.net.URI;
import java.util.Map;

/** Connection to a container of DynamoDB Local or LocalStack. Both accept any credentials. */
interface LocalDynamoDbDetails extends DynamolockConnectionDetails {

    /** Image of DynamoDB Local. Spring Boot takes names of images for names of connections. */
    String DYNAMODB_LOCAL = "amazon/dynamodb-local";

    /** Port in a container of DynamoDB Local. */
    int DYNAMODB_LOCAL_PORT = 8_000;

    /** Port in a container of LocalStack. */
    int LOCALSTACK_PORT = 4_566;

    String host();

    /** Returns the port of the host. */
    int port();

    /** Returns the environment variables of the container. */
    Map<String, String> environment();

    @Override
    default URI getEndpoint() {
        return URI.create("http://" + host() + ":" + port());
    }

    @Override
    default String getRegion() {
        return environment().getOrDefault("DEFAULT_REGION", "us-east-1");
    }

    @Override
    default String getAccessKey() {
        return environment().getOrDefault("AWS_ACCESS_KEY_ID", "test");
    }

    @Override
    default String getSecretKey() {
        return environment().getOrDefault("AWS_SECRET_ACCESS_KEY", "test");
    }
}
