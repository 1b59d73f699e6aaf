/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LockRow;
import io.dynamolock.LockStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.document.DocumentTableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ProvisionedThroughput;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * Keeps the rows in a DynamoDB table: one item per lock name, one conditional {@code UpdateItem} per write, one {@code GetItem}
 * per read.
 *
 * <pre>
 * lockName S (partition key)   leaseId S        owner S        fencingToken N   tokenFloor N   leaseMillis N
 * expiresAt N (epoch ms)       clock S (D W O)  renewals N     acquiredAt N (epoch ms)         metadata M
 * revoked BOOL                 lastLeaseId S    detached BOOL  ttl N (epoch seconds)         format N (later versions)
 * </pre>
 *
 * <p>Each request is sent once: the store switches the client's own retries off for its requests, and leaves everything else
 * about the client as it is. The items are never deleted, except by DynamoDB itself a while after {@code ttl}; attributes that
 * others put on an item stay. A client for DynamoDB Accelerator is refused, as its reads may be old for long.
 *
 * <p>The client stays the application's: the store never closes it. Safe for use by many threads.
 *
 * @since 0.1
 */
public final class DynamoDbLockStore implements LockStore {

    /** The table, unless another is named. */
    public static final String DEFAULT_TABLE_NAME = "dynamolock";

    /** The partition key, unless another is named. */
    public static final String DEFAULT_PARTITION_KEY = "lockName";

    /** The attribute for TTL, unless another is named. */
    public static final String DEFAULT_TTL_ATTRIBUTE = "ttl";

    /** For how long a row stays after its last use, unless another time is given. */
    public static final Duration DEFAULT_RETENTION = Duration.ofDays(2);

    private final DynamoDbClient client;
    private final TableLayout layout;
    private final LockTable table;
    private final LockExpressions expressions;
    private final OneAttempt oneAttempt;
    private final SdkExceptionTranslator failures;
    private final ServerDate dates = new ServerDate();
    private volatile @Nullable DocumentTableSchema schema; // late: an application's start does not need it

    private DynamoDbLockStore(DynamoDbClient client, TableLayout layout, NewTable newTable) {
        this.client = client;
        this.layout = layout;
        this.table = new LockTable(client, layout, newTable, Waiting.REAL);
        this.expressions = new LockExpressions(layout);
        this.oneAttempt = new OneAttempt(client);
        this.failures = new SdkExceptionTranslator(layout);
    }

    /**
     * Starts a store on a client.
     *
     * @param client the application's own, which stays open for as long as the store is used
     * @return what remains to be said about the table, each with a default
     */
    public static Builder builder(DynamoDbClient client) {
        return new Builder(client);
    }

    /**
     * Returns the table, to create it or to look at it.
     *
     * @return the table of this store; the same each time
     */
    public LockTable table() {
        return table;
    }

    @Override
    public Answer acquire(Acquire write, Duration timeout) {
        return update(Operation.ACQUIRE, write.name(), () -> expressions.acquire(write), timeout);
    }

    @Override
    public Answer renew(Renew write, Duration timeout) {
        return update(Operation.RENEW, write.name(), () -> expressions.renew(write), timeout);
    }

    @Override
    public Answer release(Release write, Duration timeout) {
        return update(Operation.RELEASE, write.name(), () -> expressions.release(write), timeout);
    }

    @Override
    public Answer raiseFloor(RaiseFloor write, Duration timeout) {
        return update(Operation.RAISE_FLOOR, write.name(), () -> expressions.raiseFloor(write), timeout);
    }

    @Override
    public Answer revoke(String name, String leaseId, Duration timeout) {
        return update(Operation.REVOKE, name, () -> expressions.revoke(name, leaseId), timeout);
    }

    private Answer update(
            Operation operation, String name, Supplier<UpdateItemRequest.Builder> write, Duration timeout) {
        UpdateItemRequest request = built(
                operation,
                name,
                () -> write.get()
                        .overrideConfiguration(oneAttempt.within(timeout))
                        .build());
        try {
            UpdateItemResponse response = client.updateItem(request);
            return new Answer(true, row(response.attributes()), dates.of(response.sdkHttpResponse()));
        } catch (ConditionalCheckFailedException refused) {
            return new Answer(false, row(refused.item()), dates.of(refused));
        } catch (RuntimeException failure) {
            throw failures.of(operation, name, failure);
        }
    }

    /** What is needed to send a request. Nothing is sent yet, so that a failure has changed nothing. */
    private <T> T built(Operation operation, String name, Supplier<T> request) {
        try {
            return request.get();
        } catch (RuntimeException failure) {
            throw failures.beforeSending(operation, name, failure);
        }
    }

    @Override
    public Answer forceFree(ForceFree write, Duration timeout) {
        return update(Operation.RELEASE, write.name(), () -> expressions.forceFree(write), timeout);
    }

    @Override
    public Answer readToFree(String name, Duration timeout) {
        Found found = find(name, true, timeout);
        Map<String, AttributeValue> item = found.item();
        return new Answer(true, item.isEmpty() ? null : LockRowMapper.rowToFree(item), found.date());
    }

    @Override
    public Answer read(String name, boolean consistent, Duration timeout) {
        Found found = find(name, consistent, timeout);
        return new Answer(true, found.row(), found.date());
    }

    /** An item as it was read; empty if there is none. */
    private record Found(
            Map<String, AttributeValue> item, @Nullable Instant date) {

        @Nullable
        LockRow row() {
            return DynamoDbLockStore.row(item);
        }
    }

    private Found find(String name, boolean consistent, Duration timeout) {
        ReadClient once = built(Operation.READ, name, () -> new ReadClient(client, oneAttempt.within(timeout)));
        try {
            EnhancedDocument item = enhancedTable(once)
                    .getItem(request -> request.key(layout.enhancedKey(name)).consistentRead(consistent));
            return new Found(item == null ? Map.of() : item.toMap(), dates.of(once.answer()));
        } catch (RuntimeException failure) {
            throw failures.of(Operation.READ, name, failure);
        }
    }

    /** An item has its key at least. */
    private static @Nullable LockRow row(Map<String, AttributeValue> item) {
        return item.isEmpty() ? null : LockRowMapper.row(item);
    }

    @Override
    public @Nullable TimeSample lastTime() {
        return table.lastTime();
    }

    TableLayout layout() {
        return layout;
    }

    /** The table under the enhanced client, for requests of the user's. */
    DynamoDbTable<EnhancedDocument> enhancedTable() {
        return enhancedTable(client);
    }

    private DynamoDbTable<EnhancedDocument> enhancedTable(DynamoDbClient client) {
        DocumentTableSchema known = schema;
        if (known == null) {
            known = layout.schema();
            schema = known;
        }
        return layout.enhancedTable(client, known);
    }

    @Override
    public String describe() {
        return layout.describe();
    }

    /**
     * What remains to be said about the table. Everything has a default.
     *
     * @since 0.1
     */
    public static final class Builder {

        private final DynamoDbClient client;
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

        private Builder(DynamoDbClient client) {
            this.client = Objects.requireNonNull(client, "client");
        }

        /**
         * Names the table.
         *
         * @param tableName not blank; without it {@value DynamoDbLockStore#DEFAULT_TABLE_NAME}
         * @return this
         */
        public Builder tableName(String tableName) {
            this.tableName = Objects.requireNonNull(tableName, "tableName");
            return this;
        }

        /**
         * Names the attribute that holds the lock name.
         *
         * @param partitionKey the table's partition key, of type S; without it {@value DynamoDbLockStore#DEFAULT_PARTITION_KEY}
         * @return this
         */
        public Builder partitionKey(String partitionKey) {
            this.partitionKey = Objects.requireNonNull(partitionKey, "partitionKey");
            return this;
        }

        /**
         * Makes the store fit for a table with a sort key, which is the same in all rows of locks.
         *
         * @param sortKey the table's sort key, of type S; without it there is none
         * @param value what it is in rows of locks; not blank
         * @return this
         */
        public Builder sortKey(String sortKey, String value) {
            this.sortKey = Objects.requireNonNull(sortKey, "sortKey");
            this.sortKeyValue = Objects.requireNonNull(value, "sortKeyValue");
            return this;
        }

        /**
         * Names the attribute by which DynamoDB deletes rows that nobody has used for long.
         *
         * @param ttlAttribute not blank; without it {@value DynamoDbLockStore#DEFAULT_TTL_ATTRIBUTE}
         * @return this
         */
        public Builder ttlAttribute(String ttlAttribute) {
            this.ttlAttribute = Objects.requireNonNull(ttlAttribute, "ttlAttribute");
            return this;
        }

        /**
         * Says for how long a row stays at least after its lease has ended or was released.
         *
         * @param retention 1 s to 10 years of 365 days; without it 2 days
         * @return this
         */
        public Builder retention(Duration retention) {
            this.retention = Objects.requireNonNull(retention, "retention");
            return this;
        }

        /**
         * Gives a new table fixed capacity, instead of billing by request.
         *
         * @param readCapacity read units a second, at least 1
         * @param writeCapacity write units a second, at least 1
         * @return this
         */
        public Builder provisionedThroughput(long readCapacity, long writeCapacity) {
            if (readCapacity < 1 || writeCapacity < 1) {
                throw new IllegalArgumentException("readCapacity and writeCapacity must be at least 1, but are "
                        + readCapacity + " and " + writeCapacity);
            }
            this.throughput = ProvisionedThroughput.builder()
                    .readCapacityUnits(readCapacity)
                    .writeCapacityUnits(writeCapacity)
                    .build();
            return this;
        }

        /**
         * Protects a new table from being deleted. An existing one is not changed, but without this protection gives a warning.
         *
         * @param deletionProtection without it false
         * @return this
         */
        public Builder deletionProtection(boolean deletionProtection) {
            this.deletionProtection = deletionProtection;
            return this;
        }

        /**
         * Switches point-in-time recovery on for a new table, which needs the right {@code dynamodb:UpdateContinuousBackups};
         * where it cannot be switched on, there is a warning. An existing table is neither changed nor checked.
         *
         * @param pointInTimeRecovery without it false
         * @return this
         */
        public Builder pointInTimeRecovery(boolean pointInTimeRecovery) {
            this.pointInTimeRecovery = pointInTimeRecovery;
            return this;
        }

        /**
         * Puts tags on a new table, which needs the right {@code dynamodb:TagResource}.
         *
         * @param tags by key; without it none
         * @return this
         */
        public Builder tags(Map<String, String> tags) {
            this.tags = Map.copyOf(Objects.requireNonNull(tags, "tags"));
            return this;
        }

        /**
         * Makes the store. Sends no request.
         *
         * @return the store
         * @throws IllegalArgumentException if a setting is not valid, named in the message, or the client is one for DynamoDB
         *     Accelerator
         */
        public DynamoDbLockStore build() {
            Clients.refuseAccelerator(client);
            TableLayout layout = new TableLayout(
                    tableName, Clients.region(client), partitionKey, sortKey, sortKeyValue, ttlAttribute, retention);
            return new DynamoDbLockStore(
                    client, layout, new NewTable(throughput, deletionProtection, pointInTimeRecovery, tags));
        }
    }
}
