/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import io.dynamolock.dynamodb.DynamoDbLockStore;
import io.dynamolock.dynamodb.DynamoDbLockStoreBuilder;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of the attributes that a table is defined by. */
final class AttributeOptions {

    @Option(
            names = "--partition-key",
            paramLabel = "ATTRIBUTE",
            order = 104,
            description = "Partition key of the table (default: ${DEFAULT-VALUE}).")
    private String partitionKey = DynamoDbLockStore.DEFAULT_PARTITION_KEY;

    @Option(
            names = "--sort-key",
            paramLabel = "ATTRIBUTE=VALUE",
            order = 105,
            description = "Sort key of the table and its value in all rows of locks (default: none).")
    private @Nullable String sortKey;

    @Option(
            names = "--ttl-attribute",
            paramLabel = "ATTRIBUTE",
            order = 106,
            description = "TTL attribute of the table (default: ${DEFAULT-VALUE}).")
    private String ttlAttribute = DynamoDbLockStore.DEFAULT_TTL_ATTRIBUTE;

    String partitionKey() {
        return partitionKey;
    }

    /** The attribute of the sort key, without the value; null if there is none. */
    @Nullable
    String sortKey() {
        return sortKey == null ? null : sortKey.substring(0, endOfAttribute(sortKey));
    }

    String ttlAttribute() {
        return ttlAttribute;
    }

    DynamoDbLockStoreBuilder of(DynamoDbLockStoreBuilder store) {
        DynamoDbLockStoreBuilder withKey = store.partitionKey(partitionKey).ttlAttribute(ttlAttribute);
        if (sortKey == null) {
            return withKey;
        }
        int end = endOfAttribute(sortKey);
        return withKey.sortKey(sortKey.substring(0, end), sortKey.substring(end + 1));
    }

    private static int endOfAttribute(String sortKey) {
        int end = sortKey.indexOf('=');
        if (end < 0) {
            throw new UsageException("--sort-key must be ATTRIBUTE=VALUE, but is '%s'".formatted(sortKey));
        }
        return end;
    }
}
