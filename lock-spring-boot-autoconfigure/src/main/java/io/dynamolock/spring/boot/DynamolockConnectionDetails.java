/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;

/**
 * Connection to DynamoDB of each client that is created because the application defines none. A bean of this type
 * replaces {@code dynamolock.client.region}, {@code endpoint}, {@code access-key} and {@code secret-key} of all lock
 * managers. Spring Boot provides one for a container of DynamoDB Local or LocalStack that Testcontainers or Docker
 * Compose runs.
 *
 * @since 0.1
 */
public interface DynamolockConnectionDetails extends ConnectionDetails {

    /**
     * Returns the endpoint of DynamoDB.
     *
     * @return the endpoint; null for the one of the Region
     */
    default @Nullable URI getEndpoint() {
        return null;
    }

    /**
     * Returns the AWS Region.
     *
     * @return the id of the Region; null for the one that the AWS SDK finds
     */
    default @Nullable String getRegion() {
        return null;
    }

    /**
     * Returns the access key of static credentials.
     *
     * @return the access key; null for the credentials that the AWS SDK finds
     */
    default @Nullable String getAccessKey() {
        return null;
    }

    /**
     * Returns the secret key of static credentials.
     *
     * @return the secret key; null without an access key
     */
    default @Nullable String getSecretKey() {
        return null;
    }
}
