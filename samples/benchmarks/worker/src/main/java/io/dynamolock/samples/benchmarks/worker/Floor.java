/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

/** The least that excludes: two conditional updates with three attributes, written by hand. It neither waits nor renews. */
public final class Floor implements Library {

    private static final String KEY = "lockName";
    private static final Map<String, String> NAMES = Map.of("#id", "leaseId", "#owner", "owner", "#until", "expiresAt");

    private Floor() {}

    /**
     * Runs the process.
     *
     * @param args of {@link Worker}
     */
    public static void main(String[] args) {
        Worker.run(new Floor(), args);
    }

    @Override
    public void createTable(DynamoDbClient client, String table) {
        createTable(client, table, KEY);
    }

    /**
     * Creates a table with a partition key only.
     *
     * @param client a client
     * @param table the name
     * @param key the name of the key
     */
    public static void createTable(DynamoDbClient client, String table, String key) {
        client.createTable(create -> create.tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .keySchema(KeySchemaElement.builder()
                        .attributeName(key)
                        .keyType(KeyType.HASH)
                        .build())
                .attributeDefinitions(AttributeDefinition.builder()
                        .attributeName(key)
                        .attributeType(ScalarAttributeType.S)
                        .build()));
    }

    @Override
    public LockClient open(Connection connection) {
        return new Locks(
                connection.client(), connection.table(), connection.lease().toMillis());
    }

    private record Locks(DynamoDbClient client, String table, long leaseMillis) implements LockClient {

        @Override
        public @Nullable HeldLock tryAcquire(String name) {
            String id = UUID.randomUUID().toString();
            long now = System.currentTimeMillis();
            try {
                client.updateItem(update -> update.tableName(table)
                        .key(Map.of(KEY, fromS(name)))
                        .updateExpression("SET #id = :id, #owner = :owner, #until = :until")
                        .conditionExpression("attribute_not_exists(#id) OR #until < :now")
                        .expressionAttributeNames(NAMES)
                        .expressionAttributeValues(Map.of(
                                ":id", fromS(id),
                                ":owner", fromS("me"),
                                ":until", fromN(Long.toString(now + leaseMillis)),
                                ":now", fromN(Long.toString(now)))));
                return new Held(this, name, id, now + leaseMillis);
            } catch (ConditionalCheckFailedException busy) {
                return null;
            }
        }
    }

    private record Held(Locks locks, String name, String id, long until) implements HeldLock {

        @Override
        public boolean isHeld() {
            return System.currentTimeMillis() < until;
        }

        @Override
        public void release() {
            locks.client()
                    .updateItem(update -> update.tableName(locks.table())
                            .key(Map.of(KEY, fromS(name)))
                            .updateExpression("REMOVE #id, #owner, #until")
                            .conditionExpression("#id = :id")
                            .expressionAttributeNames(NAMES)
                            .expressionAttributeValues(Map.of(":id", fromS(id))));
        }
    }
}
