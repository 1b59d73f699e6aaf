/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.InvalidSettingException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;

/**
 * Builds a {@link DynamoDbLockStore}. Every option has a default. Not thread-safe.
 *
 * @since 0.1
 */
public final class DynamoDbLockStoreBuilder {

    private final DynamoDbClient client;
    private final SdkClient given;
    private String tableName = DynamoDbLockStore.DEFAULT_TABLE_NAME;
    private String partitionKey = DynamoDbLockStore.DEFAULT_PARTITION_KEY;
    private @Nullable String sortKey;
    private @Nullable String sortKeyValue;
    private String ttlAttribute = DynamoDbLockStore.DEFAULT_TTL_ATTRIBUTE;
    private Duration retention = DynamoDbLockStore.DEFAULT_RETENTION;
    private @Nullable ProvisionedThroughput throughput;
    private boolean deletionProtection;
    private boolean pointInTimeRecovery;
    private Map<String, String> tags = Map.of();
    private Set<ForeignLocks> honored = Set.of();

    DynamoDbLockStoreBuilder(DynamoDbClient client, SdkClient given) {
        this.client = client;
        this.given = given;
    }

    /**
     * Sets the name of the table.
     *
     * @param tableName not blank; {@value DynamoDbLockStore#DEFAULT_TABLE_NAME} by default
     * @return this builder
     */
    public DynamoDbLockStoreBuilder tableName(String tableName) {
        this.tableName = Objects.requireNonNull(tableName, "tableName");
        return this;
    }

    /**
     * Sets the name of the attribute that holds the lock name.
     *
     * @param partitionKey the partition key, of type S; {@value DynamoDbLockStore#DEFAULT_PARTITION_KEY} by default
     * @return this builder
     */
    public DynamoDbLockStoreBuilder partitionKey(String partitionKey) {
        this.partitionKey = Objects.requireNonNull(partitionKey, "partitionKey");
        return this;
    }

    /**
     * Sets the sort key, for a table that has one. Its value is the same in all lock rows.
     *
     * @param sortKey the table's sort key, of type S; none by default
     * @param value the value of the sort key in lock rows; not blank, at most 1,024 bytes in UTF-8
     * @return this builder
     */
    public DynamoDbLockStoreBuilder sortKey(String sortKey, String value) {
        this.sortKey = Objects.requireNonNull(sortKey, "sortKey");
        this.sortKeyValue = Objects.requireNonNull(value, "sortKeyValue");
        return this;
    }

    /**
     * Sets the name of the TTL attribute, by which DynamoDB deletes rows that have not been used for long.
     *
     * @param ttlAttribute not blank; {@value DynamoDbLockStore#DEFAULT_TTL_ATTRIBUTE} by default
     * @return this builder
     */
    public DynamoDbLockStoreBuilder ttlAttribute(String ttlAttribute) {
        this.ttlAttribute = Objects.requireNonNull(ttlAttribute, "ttlAttribute");
        return this;
    }

    /**
     * Sets the minimum time that a row is kept after its lease has expired or was released.
     *
     * @param retention 1 s to 10 years of 365 days; 2 days by default
     * @return this builder
     */
    public DynamoDbLockStoreBuilder retention(Duration retention) {
        this.retention = Objects.requireNonNull(retention, "retention");
        return this;
    }

    /**
     * Sets provisioned capacity for a table that the library creates, instead of on-demand billing.
     *
     * @param readCapacity read capacity units per second, at least 1
     * @param writeCapacity write capacity units per second, at least 1
     * @return this builder
     * @throws InvalidSettingException if one of them is below 1
     */
    public DynamoDbLockStoreBuilder provisionedThroughput(long readCapacity, long writeCapacity) {
        this.throughput = NewTable.throughput(readCapacity, writeCapacity);
        return this;
    }

    /**
     * Enables deletion protection for a table that the library creates. If an existing one lacks it, a warning is
     * logged.
     *
     * @param deletionProtection false by default
     * @return this builder
     */
    public DynamoDbLockStoreBuilder deletionProtection(boolean deletionProtection) {
        this.deletionProtection = deletionProtection;
        return this;
    }

    /**
     * Enables point-in-time recovery for a table that the library creates. If it cannot be enabled, for example
     * without {@code dynamodb:UpdateContinuousBackups}, a warning is logged.
     *
     * @param pointInTimeRecovery false by default
     * @return this builder
     */
    public DynamoDbLockStoreBuilder pointInTimeRecovery(boolean pointInTimeRecovery) {
        this.pointInTimeRecovery = pointInTimeRecovery;
        return this;
    }

    /**
     * Sets the tags of a table that the library creates. Needs the permission {@code dynamodb:TagResource}.
     *
     * @param tags the tags by key; none by default
     * @return this builder
     */
    public DynamoDbLockStoreBuilder tags(Map<String, String> tags) {
        this.tags = Map.copyOf(Objects.requireNonNull(tags, "tags"));
        return this;
    }

    /**
     * Honors live locks of other libraries in the same table, while an application moves over from them.
     *
     * @param libraries none by default
     * @return this builder
     */
    public DynamoDbLockStoreBuilder honor(Collection<ForeignLocks> libraries) {
        this.honored = Set.copyOf(libraries);
        return this;
    }

    /**
     * Builds the store. Sends no request.
     *
     * @return the store
     * @throws InvalidSettingException if an option is invalid, or if the client is for DynamoDB Accelerator, or a mock
     */
    public DynamoDbLockStore build() {
        Clients.rejectAccelerator(given);
        Clients.rejectMock(client, given);
        TableLayout layout = new TableLayout(
                tableName,
                Clients.region(client),
                Clients.endpoint(client),
                partitionKey,
                sortKey,
                sortKeyValue,
                ttlAttribute,
                retention);
        HonoredLocks others = new HonoredLocks(honored, Clocks.REAL::wallTime);
        others.requireFit(ttlAttribute);
        return new DynamoDbLockStore(
                client, layout, new NewTable(throughput, deletionProtection, pointInTimeRecovery, tags), others);
    }
}
