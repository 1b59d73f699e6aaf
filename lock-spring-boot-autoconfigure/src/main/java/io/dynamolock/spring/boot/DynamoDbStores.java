/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockStoreException;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.LockTableException;
import io.dynamolock.spring.boot.DynamolockProperties.Table;
import io.dynamolock.spring.boot.DynamolockProperties.Table.BillingMode;
import io.dynamolock.spring.boot.DynamolockProperties.Table.Initialization;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Makes the store that the properties describe, and sees to its table before anybody can use it. */
final class DynamoDbStores {

    private static final String INITIALIZATION = "dynamolock.table.initialization";

    private DynamoDbStores() {}

    static DynamoDbLockStore create(DynamoDbClient client, DynamolockProperties properties) {
        DynamoDbLockStore store = PropertyKeys.translating(() -> store(client, properties.table()));
        try {
            initialize(store, properties);
        } catch (LockTableException | LockStoreException unusable) {
            throw unusable(properties.table(), unusable);
        }
        return store;
    }

    private static DynamoDbLockStore store(DynamoDbClient client, Table table) {
        DynamoDbLockStore.Builder builder = DynamoDbLockStore.builder(client)
                .tableName(table.name())
                .partitionKey(table.partitionKey())
                .ttlAttribute(table.ttlAttribute())
                .retention(table.retention());
        if (table.sortKey() != null || table.sortKeyValue() != null) {
            builder.sortKey(
                    PropertyKeys.requireText("dynamolock.table.sort-key", table.sortKey()),
                    PropertyKeys.requireText("dynamolock.table.sort-key-value", table.sortKeyValue()));
        }
        bill(builder, table);
        return builder.build();
    }

    private static void bill(DynamoDbLockStore.Builder builder, Table table) {
        boolean provisioned = table.billingMode() == BillingMode.PROVISIONED;
        String rule = provisioned
                ? "be 1 or more with dynamolock.table.billing-mode = provisioned"
                : "not be set without dynamolock.table.billing-mode = provisioned";
        requireCapacity("dynamolock.table.read-capacity", table.readCapacity(), provisioned, rule);
        requireCapacity("dynamolock.table.write-capacity", table.writeCapacity(), provisioned, rule);
        if (table.readCapacity() != null && table.writeCapacity() != null) {
            builder.provisionedThroughput(table.readCapacity(), table.writeCapacity());
        }
    }

    private static void requireCapacity(String key, @Nullable Long capacity, boolean provisioned, String rule) {
        PropertyKeys.require(provisioned ? capacity != null && capacity >= 1 : capacity == null, key, capacity, rule);
    }

    /** A read needs no more rights than a lock does, and tells that the table is there. */
    private static void initialize(DynamoDbLockStore store, DynamolockProperties properties) {
        Table table = properties.table();
        switch (table.initialization()) {
            case CREATE -> store.table().createIfMissing(table.creationTimeout());
            case VALIDATE -> store.table().validate();
            case NONE -> store.read("dynamolock", false, table.creationTimeout());
        }
    }

    private static InvalidLockPropertyException unusable(Table table, RuntimeException failure) {
        boolean creates = table.initialization() == Initialization.CREATE;
        String mode = table.initialization().name().toLowerCase(Locale.ROOT);
        return new InvalidLockPropertyException(
                "dynamolock.table.name",
                "dynamolock.table.name = '%s' cannot be used (%s = %s): %s"
                        .formatted(table.name(), INITIALIZATION, mode, failure.getMessage()),
                "Look at dynamolock.table.*, at dynamolock.client.region and dynamolock.client.endpoint, and at the rights of"
                        + " the credentials"
                        + (creates ? "." : ", create the table, or set " + INITIALIZATION + " = create."),
                failure);
    }
}
