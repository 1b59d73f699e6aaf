/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * Raw access to the items of a table, and manual changes of them.
 *
 * @param table the table
 */
public record RawItems(String table) {

    private static final DynamoDbClient CLIENT = LocalDynamoDb.client();

    /** Returns the item; empty if there is none. */
    public Map<String, AttributeValue> item(String name) {
        return CLIENT.getItem(get -> get.tableName(table).key(key(name)).consistentRead(true))
                .item();
    }

    /** Returns a string or number attribute; empty if it is missing. */
    String text(String name, String attribute) {
        AttributeValue value = item(name).get(attribute);
        return value == null ? "" : value.s() == null ? value.n() : value.s();
    }

    boolean isFree(String name) {
        return !item(name).containsKey("leaseId");
    }

    /** Replaces an item. */
    public void put(Map<String, AttributeValue> item) {
        CLIENT.putItem(put -> put.tableName(table).item(item));
    }

    void add(String name, Map<String, AttributeValue> attributes) {
        Map<String, AttributeValue> item = new HashMap<>(item(name));
        item.putAll(key(name));
        item.putAll(attributes);
        put(item);
    }

    /** Sets an attribute, or removes it if the value is null. */
    public void change(String name, String attribute, @Nullable AttributeValue value) {
        CLIENT.updateItem(update -> {
            update.tableName(table)
                    .key(key(name))
                    .updateExpression(value == null ? "REMOVE #a" : "SET #a = :a")
                    .expressionAttributeNames(Map.of("#a", attribute));
            if (value != null) {
                update.expressionAttributeValues(Map.of(":a", value));
            }
        });
    }

    void delete(String name) {
        CLIENT.deleteItem(delete -> delete.tableName(table).key(key(name)));
    }

    private static Map<String, AttributeValue> key(String name) {
        return Map.of("lockName", fromS(name));
    }

    /** Returns a table of the application with the key of lock tables. */
    static DynamoDbTable<EnhancedDocument> documents(DynamoDbEnhancedClient client, String table) {
        return client.table(
                table,
                TableSchema.documentSchemaBuilder()
                        .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
                        .addIndexPartitionKey(TableMetadata.primaryIndexName(), "lockName", AttributeValueType.S)
                        .build());
    }
}
