/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbServiceClientConfiguration;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * A client that sends each request to DynamoDB Local and to the simulated table, compares responses and rows, and returns
 * the simulated response.
 */
final class BothTables implements DynamoDbClient {

    /** A request that fails should change nothing: that is looked at now and then. */
    private static final int REQUESTS_BETWEEN_LOOKS = 10;

    private final DynamoDbClient local;
    private final TableLayout layout;
    private final FakeTable simulated;
    private final Map<String, Integer> outcomes = new HashMap<>();

    BothTables(DynamoDbClient local, TableLayout layout) {
        this.local = local;
        this.layout = layout;
        this.simulated = new FakeTable(layout.tableName(), layout.partitionKey(), layout.sortKey());
    }

    /** How many requests ended in which error, by its code, or as {@code read} or {@code applied}. */
    Map<String, Integer> outcomes() {
        return outcomes;
    }

    int requests() {
        return outcomes.values().stream().mapToInt(Integer::intValue).sum();
    }

    Map<String, AttributeValue> item(String name) {
        return simulated.item(layout.key(name));
    }

    void put(Map<String, AttributeValue> item) {
        simulated.put(item);
        local.putItem(put -> put.tableName(layout.tableName()).item(item));
        assertSameRows("put " + item);
    }

    void delete(String name) {
        Map<String, AttributeValue> key = layout.key(name);
        simulated.delete(key);
        local.deleteItem(delete -> delete.tableName(layout.tableName()).key(key));
    }

    @Override
    public UpdateItemResponse updateItem(UpdateItemRequest request) {
        return response(
                request,
                Response.of(request, local::updateItem, UpdateItemResponse::attributes),
                Response.of(request, simulated::updateItem, UpdateItemResponse::attributes));
    }

    @Override
    public GetItemResponse getItem(GetItemRequest request) {
        return response(
                request,
                Response.of(request, local::getItem, GetItemResponse::item),
                Response.of(request, simulated::getItem, GetItemResponse::item));
    }

    @Override
    public TransactWriteItemsResponse transactWriteItems(TransactWriteItemsRequest request) {
        return response(
                request,
                Response.of(request, local::transactWriteItems, response -> Map.of()),
                Response.of(request, simulated::transactWriteItems, response -> Map.of()));
    }

    private <R> R response(DynamoDbRequest request, Response<R> expected, Response<R> actual) {
        assertThat(actual.outcome)
                .as("the response to %s: %s", request, expected.failure)
                .isEqualTo(expected.outcome);
        String kind = kind(request, actual);
        outcomes.merge(kind, 1, Integer::sum);
        if (kind.equals("applied") || requests() % REQUESTS_BETWEEN_LOOKS == 0) {
            assertSameRows(request);
        }
        if (actual.failure != null) {
            throw actual.failure;
        }
        return Objects.requireNonNull(actual.response);
    }

    private static String kind(DynamoDbRequest request, Response<?> response) {
        if (response.failure != null) {
            return response.outcome.error();
        }
        return request instanceof GetItemRequest ? "read" : "applied";
    }

    private void assertSameRows(Object cause) {
        List<Object> expected =
                local.scan(scan -> scan.tableName(layout.tableName()).consistentRead(true)).items().stream()
                        .map(FakeOutcome::plain)
                        .toList();
        List<Object> actual =
                simulated.snapshot().stream().map(FakeOutcome::plain).toList();
        assertThat(actual).as("the rows after %s", cause).containsExactlyInAnyOrderElementsOf(expected);
    }

    @Override
    public DynamoDbServiceClientConfiguration serviceClientConfiguration() {
        return local.serviceClientConfiguration();
    }

    @Override
    public String serviceName() {
        return local.serviceName();
    }

    @Override
    public void close() {
        // The other client stays open
    }

    private record Response<R>(
            @Nullable R response, @Nullable DynamoDbException failure, FakeOutcome outcome) {

        static <Q, R> Response<R> of(Q request, Function<Q, R> table, Function<R, Map<String, AttributeValue>> item) {
            try {
                R response = table.apply(request);
                return new Response<>(response, null, FakeOutcome.of(item.apply(response)));
            } catch (DynamoDbException failure) {
                return new Response<>(null, failure, FakeOutcome.of(failure));
            }
        }
    }
}
