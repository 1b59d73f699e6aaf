/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static io.dynamolock.dynamodb.ForeignResponseException.requireDynamoDb;

import io.dynamolock.LockRow;
import io.dynamolock.LockStore.Response;
import io.dynamolock.time.RequestTimer;
import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** Sends the requests about rows: each of them once, with a timeout. */
final class RowRequests {

    private final DynamoDbClient client;
    private final TableLayout layout;
    private final OneAttempt oneAttempt;
    private final SdkExceptionTranslator failures;
    private final ServerDate dates = new ServerDate();
    private final HonoredLocks honored;

    RowRequests(DynamoDbClient client, TableLayout layout, HonoredLocks honored) {
        this.honored = honored;
        this.client = client;
        this.layout = layout;
        this.oneAttempt = new OneAttempt(client);
        this.failures = new SdkExceptionTranslator(layout);
    }

    Response update(Operation operation, String name, Supplier<UpdateItemRequest.Builder> write, Duration timeout) {
        UpdateItemRequest request = built(
                operation,
                name,
                () -> write.get()
                        .overrideConfiguration(oneAttempt.within(timeout))
                        .build());
        try {
            UpdateItemResponse response =
                    requireDynamoDb(RequestTimer.preservingInterrupt(() -> client.updateItem(request)));
            return new Response(
                    true, row(response.attributes(), LockRowMapper::row), dates.of(response.sdkHttpResponse()));
        } catch (ConditionalCheckFailedException rejected) {
            return new Response(false, row(rejected.item(), LockRowMapper::row), dates.of(rejected));
        } catch (RuntimeException failure) {
            throw failures.of(operation, name, failure);
        }
    }

    Response read(
            String name, boolean consistent, Function<Map<String, AttributeValue>, LockRow> mapper, Duration timeout) {
        GetItemRequest request = built(
                Operation.READ,
                name,
                () -> GetItemRequest.builder()
                        .tableName(layout.tableName())
                        .key(layout.key(name))
                        .consistentRead(consistent)
                        .overrideConfiguration(oneAttempt.within(timeout))
                        .build());
        try {
            GetItemResponse response = requireDynamoDb(RequestTimer.preservingInterrupt(() -> client.getItem(request)));
            return new Response(true, row(response.item(), mapper), dates.of(response.sdkHttpResponse()));
        } catch (RuntimeException failure) {
            throw failures.of(Operation.READ, name, failure);
        }
    }

    /** Builds a request. Nothing has been sent yet, so a failure has changed nothing. */
    private <T> T built(Operation operation, String name, Supplier<T> request) {
        try {
            return request.get();
        } catch (RuntimeException failure) {
            throw failures.beforeSending(operation, name, failure);
        }
    }

    /** The row of an item; every existing item has at least its key. */
    private @Nullable LockRow row(
            Map<String, AttributeValue> item, Function<Map<String, AttributeValue>, LockRow> mapper) {
        return item.isEmpty() ? null : honored.shown(mapper.apply(item), item);
    }
}
