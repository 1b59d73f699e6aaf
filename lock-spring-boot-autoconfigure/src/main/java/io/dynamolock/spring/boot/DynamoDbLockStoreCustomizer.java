/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.dynamodb.DynamoDbLockStore;

/**
 * Changes each table that is used or made as the properties say, after everything else was set: tags or deletion protection of a
 * new one. Beans of this type are called in their order.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface DynamoDbLockStoreCustomizer {

    /**
     * Changes a store before it is built and its table is looked at.
     *
     * @param manager the bean name of the lock manager
     * @param builder with all settings
     */
    void customize(String manager, DynamoDbLockStore.Builder builder);
}
