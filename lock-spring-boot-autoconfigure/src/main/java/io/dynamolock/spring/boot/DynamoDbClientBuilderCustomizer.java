/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Customizes each client that is created because the application defines none, after all other settings: for example
 * proxies, interceptors or other credentials. Beans of this type are called in their order. Clients of the application
 * are not customized.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface DynamoDbClientBuilderCustomizer {

    /**
     * Customizes a client before it is built.
     *
     * @param builder the builder with all settings; {@code httpClientBuilder(...)} replaces the HTTP client, and a retry
     *     strategy has no effect, as the lock manager retries
     */
    void customize(DynamoDbClientBuilder builder);
}
