/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import io.dynamolock.dynamodb.FakeTable.Change;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Behavior not covered by the comparison with DynamoDB Local: the change log, and differences of Local from DynamoDB. */
class FakeTableTests {

    private static final Map<String, AttributeValue> KEY = Map.of("lockName", fromS("job"));

    private final FakeTable table = new FakeTable("locks", "lockName", null);
    private final List<Change> log = new ArrayList<>();

    @Test
    void logsEveryChangeWithRowBeforeAndAfter() {
        table.onChange(log::add);
        UpdateItemRequest set = update("SET #count = :v", "attribute_not_exists(#count)", fromN("1"));

        table.updateItem(set);
        table.put(item("2"));
        table.delete(KEY);

        assertThat(log)
                .containsExactly(
                        new Change(set, "job", Map.of(), item("1")),
                        new Change(null, "job", item("1"), item("2")),
                        new Change(null, "job", item("2"), Map.of()));
    }

    @Test
    void doesNotLogRejectedWrites() {
        table.put(item("1"));
        table.onChange(log::add);

        assertThatExceptionOfType(DynamoDbException.class)
                .isThrownBy(
                        () -> table.updateItem(update("SET #count = :v", "attribute_not_exists(#count)", fromN("2"))));

        assertThat(log).isEmpty();
        assertThat(table.item(KEY)).isEqualTo(item("1"));
    }

    @Test
    void returnedRowIsImmutable() {
        table.put(item("1"));
        List<Map<String, AttributeValue>> before = table.snapshot();

        table.put(item("2"));

        assertThat(before).containsExactly(item("1"));
        assertThat(table.snapshot()).containsExactly(item("2"));
    }

    /** DynamoDB Local keeps the digits of an update as they were sent. */
    @Test
    void normalizesNumbers() {
        assertThat(List.of("007", "1.50", "1e3", "-0", "100").stream().map(FakeNumbers::kept))
                .containsExactly("7", "1.5", "1000", "0", "100");
    }

    @Test
    void comparesTextByUtf8Bytes() {
        assertThat(FakeValues.compare(fromS("\uFF5E"), fromS("\uD83D\uDD12"))).isNegative();
    }

    /** DynamoDB Local responds with a plain {@code ValidationException}. */
    @Test
    void transactionAddingToNonNumberIsCancelled() {
        table.put(Map.of("lockName", fromS("job"), "count", fromS("one")));

        TransactionCanceledException rejected = catchThrowableOfType(
                TransactionCanceledException.class, () -> transact(adding("job"), adding("other")));

        assertThat(rejected.cancellationReasons())
                .extracting(CancellationReason::code)
                .containsExactly("ValidationError", "None");
        assertThat(table.snapshot()).hasSize(1);
    }

    /** DynamoDB Local evaluates conditions first. */
    @Test
    void transactionMayTouchItemOnce() {
        DynamoDbException rejected =
                catchThrowableOfType(DynamoDbException.class, () -> transact(adding("other"), adding("other")));

        assertThat(rejected.awsErrorDetails().errorCode()).isEqualTo("ValidationException");
    }

    @Test
    void unsupportedExpressionsAreRejected() {
        for (String update : List.of("ADD #count :v", "SET count = :v", "SET #count.#count = :v")) {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(() -> table.updateItem(update(update, "attribute_not_exists(#count)", fromN("1"))));
        }
        for (String condition : List.of("begins_with(#count, :v)", "#count BETWEEN :v AND :v", "#count IN (:v)")) {
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .as(condition)
                    .isThrownBy(() -> table.updateItem(update("SET #count = :v", condition, fromN("1"))));
        }
    }

    private static Map<String, AttributeValue> item(String count) {
        return Map.of("lockName", fromS("job"), "count", fromN(count));
    }

    private static UpdateItemRequest update(String update, String condition, AttributeValue value) {
        return UpdateItemRequest.builder()
                .tableName("locks")
                .key(KEY)
                .updateExpression(update)
                .conditionExpression(condition)
                .expressionAttributeNames(Map.of("#count", "count"))
                .expressionAttributeValues(Map.of(":v", value))
                .build();
    }

    private static Update adding(String name) {
        return Update.builder()
                .tableName("locks")
                .key(Map.of("lockName", fromS(name)))
                .updateExpression("SET #count = if_not_exists(#count, :v) + :v")
                .expressionAttributeNames(Map.of("#count", "count"))
                .expressionAttributeValues(Map.of(":v", fromN("1")))
                .build();
    }

    private void transact(Update... updates) {
        TransactWriteItem[] items = new TransactWriteItem[updates.length];
        for (int i = 0; i < updates.length; i++) {
            items[i] = TransactWriteItem.builder().update(updates[i]).build();
        }
        table.transactWriteItems(
                TransactWriteItemsRequest.builder().transactItems(items).build());
    }
}
