/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockStoreException;
import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.DynamoDbLockStoreBuilder;
import io.dynamolock.dynamodb.LockTableException;
import io.dynamolock.spring.boot.TableProperties.BillingMode;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.util.StringUtils;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Creates the stores that are configured by properties, and initializes their tables before the first use. */
final class DynamoDbStoreFactory implements SmartInitializingSingleton {

    /** DynamoDB's rule, or an ARN. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_.-]{3,255}|arn:.+");

    private final ObjectProvider<DynamoDbLockStoreCustomizer> customizers;
    private final ConnectionCheck connections = new ConnectionCheck();

    DynamoDbStoreFactory(ObjectProvider<DynamoDbLockStoreCustomizer> customizers) {
        this.customizers = customizers;
    }

    DynamoDbLockStore create(ManagerProperties manager, SdkClient client) {
        DynamoDbLockStore store = manager.keys().translating(() -> store(manager, client));
        try {
            initialize(store, manager.values());
        } catch (LockTableException | LockStoreException unusable) {
            throw TableRemedy.rejection(manager, unusable);
        }
        connections.add(client, manager, store);
        return store;
    }

    @Override
    public void afterSingletonsInstantiated() {
        connections.warn();
    }

    private DynamoDbLockStore store(ManagerProperties manager, SdkClient client) {
        TableProperties table = manager.values().table();
        manager.keys()
                .require(
                        NAME.matcher(table.name()).matches(),
                        "table.name",
                        table.name(),
                        "have 3 to 255 letters, digits, dots, dashes and underscores");
        DynamoDbLockStoreBuilder builder = builder(client)
                .tableName(table.name())
                .partitionKey(table.partitionKey())
                .ttlAttribute(table.ttlAttribute())
                .retention(table.retention())
                .deletionProtection(table.deletionProtection())
                .pointInTimeRecovery(table.pointInTimeRecovery())
                .honor(table.honor());
        sort(builder, table, manager.keys());
        bill(builder, table, manager.keys());
        customizers.orderedStream().forEach(customizer -> customizer.customize(manager.manager(), builder));
        return builder.build();
    }

    private static DynamoDbLockStoreBuilder builder(SdkClient client) {
        return client instanceof DynamoDbAsyncClient asynchronous
                ? DynamoDbLockStore.builder(asynchronous)
                : DynamoDbLockStore.builder((DynamoDbClient) client);
    }

    private static void sort(DynamoDbLockStoreBuilder builder, TableProperties table, PropertyKeys keys) {
        String sortKey = table.sortKey();
        String value = table.sortKeyValue();
        if (StringUtils.hasText(sortKey) && StringUtils.hasText(value)) {
            builder.sortKey(sortKey, value);
        } else if (StringUtils.hasText(sortKey) || StringUtils.hasText(value)) {
            boolean named = StringUtils.hasText(sortKey);
            String missing = named ? "table.sort-key-value" : "table.sort-key";
            throw keys.rejection(
                    "{%s} is not set, but {%s} is"
                            .formatted(missing, named ? "table.sort-key" : "table.sort-key-value"),
                    "Set {table.sort-key} and {table.sort-key-value}, or neither for a table without a sort key.",
                    null);
        }
    }

    private static void bill(DynamoDbLockStoreBuilder builder, TableProperties table, PropertyKeys keys) {
        boolean provisioned = table.billingMode() == BillingMode.PROVISIONED;
        requireCapacity("table.read-capacity", table.readCapacity(), provisioned, keys);
        requireCapacity("table.write-capacity", table.writeCapacity(), provisioned, keys);
        if (table.readCapacity() != null && table.writeCapacity() != null) {
            builder.provisionedThroughput(table.readCapacity(), table.writeCapacity());
        }
    }

    private static void requireCapacity(String key, @Nullable Long capacity, boolean provisioned, PropertyKeys keys) {
        if (!provisioned) {
            keys.require(capacity == null, key, capacity, "not be set without {table.billing-mode} = provisioned");
        } else if (capacity == null) {
            throw keys.rejection(
                    "{%s} is not set, but {table.billing-mode} = provisioned needs it".formatted(key),
                    "Set {%s} to 1 or more, or {table.billing-mode} to pay-per-request.".formatted(key),
                    null);
        } else {
            keys.require(capacity >= 1, key, capacity, "be 1 or more with {table.billing-mode} = provisioned");
        }
    }

    /**
     * Creates or checks the table. The read needs no more permissions than a lock, and fails if the table is missing.
     */
    private static void initialize(DynamoDbLockStore store, DynamolockProperties properties) {
        TableProperties table = properties.table();
        switch (table.initialization()) {
            case CREATE -> store.table().createIfMissing(table.creationTimeout());
            case VALIDATE -> store.table().validate();
            case NONE -> readTwice(store, properties);
        }
    }

    /** Repeats a request that was rejected for now: after the first response, the SDK corrects for a wrong clock. */
    private static void readTwice(DynamoDbLockStore store, DynamolockProperties properties) {
        String row = ManagerProperties.probedRow(properties.namePrefix());
        Duration timeout = properties.table().creationTimeout();
        try {
            store.read(row, false, timeout);
        } catch (LockStoreException failure) {
            if (!failure.isAnswered() || !failure.isRetryable()) {
                throw failure;
            }
            store.read(row, false, timeout);
        }
    }
}
