/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import software.amazon.awssdk.services.dynamodb.DynamoDbClientBuilder;

/**
 * Changes each client that is made because the application has none, after everything else was set: proxies, interceptors, other
 * credentials. Beans of this type are called in their order. A client of the application's is left alone.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface DynamoDbClientBuilderCustomizer {

    /**
     * Changes a client before it is built.
     *
     * @param builder with all settings; {@code overrideConfiguration(...)} replaces what is there, so start with a copy; another
     *     HTTP client takes the place of ours by {@code httpClientBuilder(...)}
     */
    void customize(DynamoDbClientBuilder builder);
}
