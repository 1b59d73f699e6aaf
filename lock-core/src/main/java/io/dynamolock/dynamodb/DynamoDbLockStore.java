/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.LockStore;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.LockWrite.ForceFree;
import io.dynamolock.LockWrite.RaiseFloor;
import io.dynamolock.LockWrite.Release;
import io.dynamolock.LockWrite.Renew;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;

/**
 * Lock store on a DynamoDB table: one item per lock name, one conditional {@code UpdateItem} per write, one
 * {@code GetItem} per read.
 *
 * <pre>
 * lockName S (partition key)   leaseId S        owner S        fencingToken N   tokenFloor N   leaseMillis N
 * expiresAt N (epoch ms)       clock S (D W O)  renewals N     acquiredAt N (epoch ms)         metadata M
 * revoked BOOL                 lastLeaseId S    detached BOOL  ttl N (epoch seconds)         format N (later versions)
 * lastOwner S                  lastEndedAt N (epoch ms)        lastFailed BOOL
 * </pre>
 *
 * <p>Each request is sent once: the store disables the client's own retries for its requests, and leaves everything
 * else about the client unchanged. The store never deletes items; DynamoDB deletes them some time after {@code ttl}.
 * Attributes that others put on an item are kept. A client for DynamoDB Accelerator is rejected, because its reads can
 * be stale for long. The application owns the client: the store never closes it. Thread-safe.
 *
 * @since 0.1
 */
public final class DynamoDbLockStore implements LockStore {

    /** The default table name. */
    public static final String DEFAULT_TABLE_NAME = "dynamolock";

    /** The default name of the partition key. */
    public static final String DEFAULT_PARTITION_KEY = "lockName";

    /** The default name of the TTL attribute. */
    public static final String DEFAULT_TTL_ATTRIBUTE = "ttl";

    /** How long a row is kept after its last use by default. */
    public static final Duration DEFAULT_RETENTION = Duration.ofDays(2);

    private final TableLayout layout;
    private final LockTable table;
    private final LockExpressions expressions;
    private final RowRequests requests;

    private DynamoDbLockStore(DynamoDbClient client, TableLayout layout, NewTable newTable) {
        this.layout = layout;
        this.table = new LockTable(client, layout, newTable, Waiting.REAL);
        this.expressions = new LockExpressions(layout);
        this.requests = new RowRequests(client, layout);
    }

    /**
     * Returns a builder of a store on a client.
     *
     * @param client the client of the application, which must stay open while the store is used
     * @return a builder with the defaults
     */
    public static Builder builder(DynamoDbClient client) {
        return new Builder(Objects.requireNonNull(client, "client"), client);
    }

    /**
     * Returns a builder of a store on an asynchronous client, for an application that has no other. Each request blocks
     * its thread until the response arrives, so do not use locks on threads that complete the futures of this client.
     *
     * @param client the client of the application, which must stay open while the store is used
     * @return a builder with the defaults
     */
    public static Builder builder(DynamoDbAsyncClient client) {
        return new Builder(new BlockingClient(Objects.requireNonNull(client, "client")), client);
    }

    /**
     * Returns the table of this store, to create it, to inspect it, or to list its locks.
     *
     * @return the table; the same instance each time
     */
    public LockTable table() {
        return table;
    }

    @Override
    public Answer acquire(Acquire write, Duration timeout) {
        return requests.update(Operation.ACQUIRE, write.name(), () -> expressions.acquire(write), timeout);
    }

    @Override
    public Answer renew(Renew write, Duration timeout) {
        return requests.update(Operation.RENEW, write.name(), () -> expressions.renew(write), timeout);
    }

    @Override
    public Answer release(Release write, Duration timeout) {
        return requests.update(Operation.RELEASE, write.name(), () -> expressions.release(write), timeout);
    }

    @Override
    public Answer raiseFloor(RaiseFloor write, Duration timeout) {
        return requests.update(Operation.RAISE_FLOOR, write.name(), () -> expressions.raiseFloor(write), timeout);
    }

    @Override
    public Answer revoke(String name, String leaseId, Duration timeout) {
        return requests.update(Operation.REVOKE, name, () -> expressions.revoke(name, leaseId), timeout);
    }

    @Override
    public Answer forceFree(ForceFree write, Duration timeout) {
        return requests.update(Operation.RELEASE, write.name(), () -> expressions.forceFree(write), timeout);
    }

    @Override
    public Answer readToFree(String name, Duration timeout) {
        return requests.read(name, true, LockRowMapper::rowToFree, timeout);
    }

    @Override
    public Answer read(String name, boolean consistent, Duration timeout) {
        return requests.read(name, consistent, LockRowMapper::row, timeout);
    }

    TableLayout layout() {
        return layout;
    }

    @Override
    public String describe() {
        return layout.describe();
    }

    /**
     * Builds a {@link DynamoDbLockStore}. Every option has a default.
     *
     * <p>Not thread-safe.
     *
     * @since 0.1
     */
    public static final class Builder {

        private final DynamoDbClient client;
        private final SdkClient given;
        private String tableName = DEFAULT_TABLE_NAME;
        private String partitionKey = DEFAULT_PARTITION_KEY;
        private @Nullable String sortKey;
        private @Nullable String sortKeyValue;
        private String ttlAttribute = DEFAULT_TTL_ATTRIBUTE;
        private Duration retention = DEFAULT_RETENTION;
        private @Nullable ProvisionedThroughput throughput;
        private boolean deletionProtection;
        private boolean pointInTimeRecovery;
        private Map<String, String> tags = Map.of();

        private Builder(DynamoDbClient client, SdkClient given) {
            this.client = client;
            this.given = given;
        }

        /**
         * Sets the name of the table.
         *
         * @param tableName not blank; {@value DynamoDbLockStore#DEFAULT_TABLE_NAME} by default
         * @return this builder
         */
        public Builder tableName(String tableName) {
            this.tableName = Objects.requireNonNull(tableName, "tableName");
            return this;
        }

        /**
         * Sets the name of the attribute that holds the lock name.
         *
         * @param partitionKey the partition key, of type S; {@value DynamoDbLockStore#DEFAULT_PARTITION_KEY} by default
         * @return this builder
         */
        public Builder partitionKey(String partitionKey) {
            this.partitionKey = Objects.requireNonNull(partitionKey, "partitionKey");
            return this;
        }

        /**
         * Sets the sort key, for a table that has one. Its value is the same in all lock rows.
         *
         * @param sortKey the table's sort key, of type S; none by default
         * @param value the value of the sort key in lock rows; not blank
         * @return this builder
         */
        public Builder sortKey(String sortKey, String value) {
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
        public Builder ttlAttribute(String ttlAttribute) {
            this.ttlAttribute = Objects.requireNonNull(ttlAttribute, "ttlAttribute");
            return this;
        }

        /**
         * Sets the minimum time that a row is kept after its lease has expired or was released.
         *
         * @param retention 1 s to 10 years of 365 days; 2 days by default
         * @return this builder
         */
        public Builder retention(Duration retention) {
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
        public Builder provisionedThroughput(long readCapacity, long writeCapacity) {
            this.throughput = NewTable.throughput(readCapacity, writeCapacity);
            return this;
        }

        /**
         * Enables deletion protection for a table that the library creates. An existing table is not changed; if it
         * lacks this protection, a warning is logged.
         *
         * @param deletionProtection false by default
         * @return this builder
         */
        public Builder deletionProtection(boolean deletionProtection) {
            this.deletionProtection = deletionProtection;
            return this;
        }

        /**
         * Enables point-in-time recovery for a table that the library creates. Needs the permission
         * {@code dynamodb:UpdateContinuousBackups}; if it cannot be enabled, a warning is logged. An existing table is
         * neither changed nor checked.
         *
         * @param pointInTimeRecovery false by default
         * @return this builder
         */
        public Builder pointInTimeRecovery(boolean pointInTimeRecovery) {
            this.pointInTimeRecovery = pointInTimeRecovery;
            return this;
        }

        /**
         * Sets the tags of a table that the library creates. Needs the permission {@code dynamodb:TagResource}.
         *
         * @param tags the tags by key; none by default
         * @return this builder
         */
        public Builder tags(Map<String, String> tags) {
            this.tags = Map.copyOf(Objects.requireNonNull(tags, "tags"));
            return this;
        }

        /**
         * Builds the store. Sends no request.
         *
         * @return the store
         * @throws InvalidSettingException if an option is invalid, or if the client is for DynamoDB Accelerator
         */
        public DynamoDbLockStore build() {
            Clients.refuseAccelerator(given);
            TableLayout layout = new TableLayout(
                    tableName,
                    Clients.region(client),
                    Clients.endpoint(client),
                    partitionKey,
                    sortKey,
                    sortKeyValue,
                    ttlAttribute,
                    retention);
            return new DynamoDbLockStore(
                    client, layout, new NewTable(throughput, deletionProtection, pointInTimeRecovery, tags));
        }
    }
}
