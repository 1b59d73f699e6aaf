/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.DocumentTableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The location of the rows, and the configurable names of keys and attributes. */
record TableLayout(
        String tableName,
        @Nullable String region,
        String partitionKey,
        @Nullable String sortKey,
        @Nullable String sortKeyValue,
        String ttlAttribute,
        Duration retention) {

    private static final Duration SHORTEST_RETENTION = Duration.ofSeconds(1);
    private static final Duration LONGEST_RETENTION = Duration.ofDays(3_650);

    TableLayout {
        requireText("tableName", tableName);
        requireText("partitionKey", partitionKey);
        requireText("ttlAttribute", ttlAttribute);
        if (sortKey != null || sortKeyValue != null) {
            requireText("sortKey", sortKey);
            requireText("sortKeyValue", sortKeyValue);
        }
        if (retention.compareTo(SHORTEST_RETENTION) < 0 || retention.compareTo(LONGEST_RETENTION) > 0) {
            throw new IllegalArgumentException("retention must be between 1 s and 3,650 days, but is " + retention);
        }
        requireFree("partitionKey", partitionKey, LockRowMapper.ATTRIBUTES);
        requireFree("sortKey", sortKey, LockRowMapper.ATTRIBUTES);
        requireFree("ttlAttribute", ttlAttribute, LockRowMapper.ATTRIBUTES);
        requireDifferent("sortKey", sortKey, "partitionKey", partitionKey);
        requireDifferent("ttlAttribute", ttlAttribute, "partitionKey", partitionKey);
        requireDifferent("ttlAttribute", ttlAttribute, "sortKey", sortKey);
    }

    private static void requireText(String setting, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(setting + " must not be blank");
        }
    }

    private static void requireFree(String setting, @Nullable String value, Set<String> taken) {
        if (value != null && taken.contains(value)) {
            throw new IllegalArgumentException(
                    setting + " must not be '" + value + "': the rows already have an attribute of that name");
        }
    }

    private static void requireDifferent(
            String setting, @Nullable String value, String otherSetting, @Nullable String otherValue) {
        if (value != null && value.equals(otherValue)) {
            throw new IllegalArgumentException(
                    setting + " must not be the same as " + otherSetting + ", but both are '" + value + "'");
        }
    }

    /** The key of a lock's row, for the plain client. */
    Map<String, AttributeValue> key(String name) {
        AttributeValue partition = AttributeValue.fromS(name);
        return sortKey == null
                ? Map.of(partitionKey, partition)
                : Map.of(partitionKey, partition, sortKey, AttributeValue.fromS(sortKeyValue));
    }

    /** The key of a lock's row, for the enhanced client. */
    Key enhancedKey(String name) {
        Key.Builder key = Key.builder().partitionValue(name);
        return sortKey == null ? key.build() : key.sortValue(sortKeyValue).build();
    }

    /** The keys, for the enhanced client; all other attributes are in the expressions. */
    DocumentTableSchema schema() {
        DocumentTableSchema.Builder schema = TableSchema.documentSchemaBuilder()
                .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
                .addIndexPartitionKey(TableMetadata.primaryIndexName(), partitionKey, AttributeValueType.S);
        if (sortKey != null) {
            schema.addIndexSortKey(TableMetadata.primaryIndexName(), sortKey, AttributeValueType.S);
        }
        return schema.build();
    }

    /** The table of the enhanced client, without extensions, which would modify requests. */
    DynamoDbTable<EnhancedDocument> enhancedTable(DynamoDbClient client, DocumentTableSchema schema) {
        return DynamoDbEnhancedClient.builder()
                .dynamoDbClient(client)
                .extensions(List.of())
                .build()
                .table(tableName, schema);
    }

    /** The attribute that a placeholder stands for. */
    String attribute(String placeholder) {
        return switch (placeholder) {
            case "ttl" -> ttlAttribute;
            case "key" -> partitionKey;
            default -> placeholder;
        };
    }

    /** When DynamoDB may delete a row that is not needed after that time, in epoch seconds, rounded up. */
    long ttl(Instant lastUse) {
        Instant end = lastUse.plus(retention);
        return end.getNano() == 0 ? end.getEpochSecond() : end.getEpochSecond() + 1;
    }

    /** The table as named in messages. */
    String name() {
        return "table '" + tableName + "'";
    }

    /** The table as described by every process that uses it. */
    String describe() {
        return region == null ? name() : name() + " in " + region;
    }
}
