/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Sends seeded random requests to one table and its simulation. */
final class ConformanceRun {

    private final long seed;
    private final TableLayout layout;
    private final BothTables tables;
    private final RandomValues values;
    private final StoreCalls calls;
    private final SimilarRequests similar;
    private final FencedTransactions transactions;
    private final CorruptItems rows;

    private ConformanceRun(DynamoDbClient local, DynamoDbLockStore settings, long seed) {
        settings.table().createIfMissing(Duration.ofSeconds(30));
        this.seed = seed;
        this.layout = settings.layout();
        this.tables = new BothTables(local, layout);
        this.values = new RandomValues(new Random(seed));
        DynamoDbLockStore store = store(tables, layout.tableName(), layout.sortKey());
        this.calls = new StoreCalls(store, tables, values);
        this.similar = new SimilarRequests(layout, tables, values);
        this.transactions = new FencedTransactions(store, tables, values);
        this.rows = new CorruptItems(layout, tables, values);
    }

    static ConformanceRun onPlainTable(DynamoDbClient local, long seed) {
        return new ConformanceRun(local, store(local, LocalDynamoDb.newTableName(), null), seed);
    }

    /** With a sort key, and other names. */
    static ConformanceRun onSortedTable(DynamoDbClient local, long seed) {
        return new ConformanceRun(local, store(local, LocalDynamoDb.newTableName(), "kind"), seed);
    }

    private static DynamoDbLockStore store(DynamoDbClient client, String table, @Nullable String sortKey) {
        DynamoDbLockStoreBuilder settings = DynamoDbLockStore.builder(client).tableName(table);
        return sortKey == null
                ? settings.build()
                : settings.partitionKey("key")
                        .sortKey(sortKey, "lock")
                        .ttlAttribute("deleteAt")
                        .build();
    }

    BothTables tables() {
        return tables;
    }

    void send(int requests) {
        while (tables.requests() < requests) {
            try {
                next();
            } catch (AssertionError | RuntimeException different) {
                throw new AssertionError(
                        "Request %d of seed %d: %s".formatted(tables.requests(), seed, different.getMessage()),
                        different);
            }
        }
    }

    private void next() {
        int kind = values.below(100);
        if (kind < 60) {
            calls.next();
        } else if (kind < 80) {
            similar.next();
        } else if (kind < 94) {
            transactions.next();
        } else {
            rows.next();
        }
    }
}
