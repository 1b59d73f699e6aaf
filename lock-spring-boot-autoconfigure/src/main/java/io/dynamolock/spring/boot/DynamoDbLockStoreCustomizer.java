/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.dynamodb.DynamoDbLockStoreBuilder;

/**
 * Customizes each store that is created from properties, after all other settings: for example tags or deletion
 * protection of a new table. Beans of this type are called in their order.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface DynamoDbLockStoreCustomizer {

    /**
     * Customizes a store before it is built and its table is accessed.
     *
     * @param manager the bean name of the lock manager
     * @param builder the builder with all settings
     */
    void customize(String manager, DynamoDbLockStoreBuilder builder);
}
