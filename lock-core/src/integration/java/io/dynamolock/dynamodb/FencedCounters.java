/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;

/** A counter for each lock, read and then written under the fence, and the acknowledged increments. */
final class FencedCounters {

    private final DynamoDbClient client = LocalDynamoDb.client();
    private final String table = LocalDynamoDb.newTable();
    private final Map<String, Long> acknowledged = new ConcurrentHashMap<>();
    private final AtomicInteger rejected = new AtomicInteger();

    /** The work between read and write. */
    @FunctionalInterface
    interface Work {

        void run() throws InterruptedException;
    }

    void increment(Lease lease, Work between) throws InterruptedException {
        long next = value(lease.name()) + 1;
        between.run();
        try {
            write(lease, next);
            acknowledged.merge(lease.name(), 1L, Long::sum);
        } catch (LeaseLostException lost) {
            // nothing was sent
        } catch (TransactionCanceledException fencedOff) {
            rejected.incrementAndGet();
        }
    }

    long value(String name) {
        AttributeValue value = client.getItem(
                        get -> get.tableName(table).key(key(name)).consistentRead(true))
                .item()
                .get("value");
        return value == null ? 0 : Long.parseLong(value.n());
    }

    long acknowledged(String name) {
        return acknowledged.getOrDefault(name, 0L);
    }

    /** Returns the number of writes that the fence rejected. */
    int rejected() {
        return rejected.get();
    }

    private void write(Lease lease, long value) {
        Update update = Update.builder()
                .tableName(table)
                .key(key(lease.name()))
                .updateExpression("SET #value = :value")
                .expressionAttributeNames(Map.of("#value", "value"))
                .expressionAttributeValues(Map.of(":value", fromN(Long.toString(value))))
                .build();
        client.transactWriteItems(transaction -> transaction.transactItems(
                TransactWriteItem.builder()
                        .conditionCheck(Fencing.conditionCheck(lease))
                        .build(),
                TransactWriteItem.builder().update(update).build()));
    }

    private static Map<String, AttributeValue> key(String name) {
        return Map.of("lockName", fromS(name));
    }
}
