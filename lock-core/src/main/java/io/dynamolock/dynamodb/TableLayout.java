/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.InvalidSettingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** The location of the rows, and the configurable names of keys and attributes. */
record TableLayout(
        String tableName,
        @Nullable String region,
        @Nullable String endpoint,
        String partitionKey,
        @Nullable String sortKey,
        @Nullable String sortKeyValue,
        String ttlAttribute,
        Duration retention) {

    /** DynamoDB's limit for a sort key. */
    private static final int LONGEST_SORT_KEY = 1_024;

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
        requireSortable(sortKeyValue);
        if (retention.compareTo(SHORTEST_RETENTION) < 0 || retention.compareTo(LONGEST_RETENTION) > 0) {
            throw new InvalidSettingException("retention", "must be between 1 s and 3,650 days", retention);
        }
        requireFree("partitionKey", partitionKey);
        requireFree("sortKey", sortKey);
        requireFree("ttlAttribute", ttlAttribute);
        requireDifferent("sortKey", sortKey, "partitionKey", partitionKey);
        requireDifferent("ttlAttribute", ttlAttribute, "partitionKey", partitionKey);
        requireDifferent("ttlAttribute", ttlAttribute, "sortKey", sortKey);
    }

    private static void requireText(String setting, @Nullable String value) {
        if (value == null || value.isBlank()) {
            throw new InvalidSettingException(setting, "must not be blank", value);
        }
    }

    private static void requireSortable(@Nullable String sortKeyValue) {
        if (sortKeyValue != null && sortKeyValue.getBytes(StandardCharsets.UTF_8).length > LONGEST_SORT_KEY) {
            throw new InvalidSettingException("sortKeyValue", "must not exceed 1,024 bytes in UTF-8", sortKeyValue);
        }
    }

    private static void requireFree(String setting, @Nullable String value) {
        if (value != null && LockRowMapper.ATTRIBUTES.contains(value)) {
            throw new InvalidSettingException(
                    setting, "must not be the name of an attribute that all rows have", value);
        }
    }

    private static void requireDifferent(
            String setting, @Nullable String value, String otherSetting, @Nullable String otherValue) {
        if (value != null && value.equals(otherValue)) {
            throw new InvalidSettingException(setting, "must not be the same as {" + otherSetting + "}", value);
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

    /** The key schema of a table that the library creates. */
    List<KeySchemaElement> keySchema() {
        return keys((name, type) ->
                KeySchemaElement.builder().attributeName(name).keyType(type).build());
    }

    /** The attributes in the key schema, all of type S. */
    List<AttributeDefinition> keyAttributes() {
        return keys((name, type) -> AttributeDefinition.builder()
                .attributeName(name)
                .attributeType(ScalarAttributeType.S)
                .build());
    }

    private <T> List<T> keys(BiFunction<String, KeyType, T> key) {
        T partition = key.apply(partitionKey, KeyType.HASH);
        return sortKey == null ? List.of(partition) : List.of(partition, key.apply(sortKey, KeyType.RANGE));
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

    /** The endpoint as named in messages, if it is not that of the Region. */
    String at() {
        return endpoint == null ? "" : " at " + endpoint;
    }

    /** The table as described by every process that uses it, through whatever endpoint. */
    String describe() {
        return region == null ? name() : name() + " in " + region;
    }
}
