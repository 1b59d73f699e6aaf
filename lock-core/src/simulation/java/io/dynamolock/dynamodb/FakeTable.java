/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * One table of DynamoDB, simulated: executes the requests that the library builds, and rejects them, as DynamoDB does. It
 * reads the expressions themselves; {@code FakeTableConformanceTests} compares it with DynamoDB Local. An expression or a
 * parameter that the library never uses is an {@link UnsupportedOperationException}, not a guess.
 *
 * <p>Each request takes effect immediately, and every read is current: delays, losses and stale reads are simulated
 * elsewhere. Responses have no HTTP headers. Not thread-safe.
 */
public final class FakeTable {

    private final FakeKeys keys;
    private final FakeWrites writes;
    private final Map<FakeKeys.Key, Map<String, AttributeValue>> rows = new HashMap<>();
    private final Map<String, TransactWriteItemsRequest> transactions = new HashMap<>();
    private Consumer<Change> log = change -> {};

    /**
     * Starts empty.
     *
     * @param name of the table
     * @param partitionKey of type S
     * @param sortKey of type S; null if there is none
     */
    public FakeTable(String name, String partitionKey, @Nullable String sortKey) {
        this.keys = new FakeKeys(partitionKey, sortKey);
        this.writes = new FakeWrites(name, keys);
    }

    /**
     * Logs every further change: of each applied request, row by row, and of manual changes by a test. A request that
     * changes nothing, because it was rejected or only checked, is not logged.
     *
     * @param log called before the response
     */
    public void onChange(Consumer<Change> log) {
        this.log = log;
    }

    /**
     * Executes a write.
     *
     * @param request as the store builds it
     * @return with the item if requested
     * @throws DynamoDbException as DynamoDB's
     */
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
        FakeWrite write = writes.of(request);
        Map<String, AttributeValue> before = row(write.key());
        if (!write.holds(before)) {
            throw FakeErrors.rejected(write.tellsItem() ? before : Map.of());
        }
        Map<String, AttributeValue> after = write.after(before);
        change(request, write.key(), after);
        return response(request.returnValues(), before, after);
    }

    private static UpdateItemResponse response(
            @Nullable ReturnValue returned, Map<String, AttributeValue> before, Map<String, AttributeValue> after) {
        if (returned == null || returned == ReturnValue.NONE) {
            return UpdateItemResponse.builder().build();
        }
        return switch (returned) {
            case ALL_NEW -> UpdateItemResponse.builder().attributes(after).build();
            case ALL_OLD -> UpdateItemResponse.builder().attributes(before).build();
            default -> throw new UnsupportedOperationException("ReturnValues " + returned);
        };
    }

    /**
     * Executes a read, always a consistent one.
     *
     * @param request of a whole item
     * @return without an item if there is none
     * @throws DynamoDbException as DynamoDB's
     */
    public GetItemResponse getItem(GetItemRequest request) {
        if (request.projectionExpression() != null || request.hasAttributesToGet()) {
            throw new UnsupportedOperationException("A part of an item");
        }
        Map<String, AttributeValue> row = row(writes.key(request.tableName(), request.key()));
        return row.isEmpty()
                ? GetItemResponse.builder().build()
                : GetItemResponse.builder().item(row).build();
    }

    /**
     * Executes a transaction in this table. One that carries a token and was executed before is not executed again.
     *
     * @param request with checks, updates, puts and deletions
     * @return empty
     * @throws DynamoDbException as DynamoDB's
     */
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
        if (!isRepeated(request)) {
            FakeTransaction transaction = FakeTransaction.of(request, writes, this::row);
            transaction.afterwards().forEach((key, after) -> change(request, key, after));
            if (request.clientRequestToken() != null) {
                transactions.put(request.clientRequestToken(), request);
            }
        }
        return TransactWriteItemsResponse.builder().build();
    }

    private boolean isRepeated(TransactWriteItemsRequest request) {
        TransactWriteItemsRequest first = transactions.get(request.clientRequestToken());
        if (first != null && !first.equalsBySdkFields(request)) {
            throw FakeErrors.tokenUsedForAnother();
        }
        return first != null;
    }

    /**
     * Reads a row by hand.
     *
     * @param key its key attributes, alone or among others
     * @return empty if there is none
     */
    public Map<String, AttributeValue> item(Map<String, AttributeValue> key) {
        return row(keys.ofItem(key));
    }

    /**
     * Writes a whole row by hand.
     *
     * @param item with its key attributes
     */
    public void put(Map<String, AttributeValue> item) {
        change(null, keys.ofItem(item), FakeValues.keptAll(item));
    }

    /**
     * Deletes a row by hand.
     *
     * @param key its key attributes, alone or among others
     */
    public void delete(Map<String, AttributeValue> key) {
        change(null, keys.ofItem(key), Map.of());
    }

    /**
     * Copies all rows, to be looked at or put back later.
     *
     * @return whole items, in no order
     */
    public List<Map<String, AttributeValue>> snapshot() {
        return List.copyOf(rows.values());
    }

    private Map<String, AttributeValue> row(FakeKeys.Key key) {
        return rows.getOrDefault(key, Map.of());
    }

    private void change(@Nullable DynamoDbRequest request, FakeKeys.Key key, Map<String, AttributeValue> item) {
        Map<String, AttributeValue> before = row(key);
        if (before.isEmpty() && item.isEmpty()) {
            return;
        }
        Map<String, AttributeValue> after = Collections.unmodifiableMap(item);
        if (after.isEmpty()) {
            rows.remove(key);
        } else {
            rows.put(key, after);
        }
        log.accept(new Change(request, key.partition(), before, after));
    }

    /**
     * What happened to one row.
     *
     * @param request null if it was done by hand
     * @param name the row's partition key
     * @param before the item; empty if there was none
     * @param after the item; empty if there is none
     */
    public record Change(
            @Nullable DynamoDbRequest request,
            String name,
            Map<String, AttributeValue> before,
            Map<String, AttributeValue> after) {}
}
