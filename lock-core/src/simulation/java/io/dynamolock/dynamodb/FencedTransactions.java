/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromN;
import static software.amazon.awssdk.services.dynamodb.model.AttributeValue.fromS;

import io.dynamolock.Lease;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItemsRequest;
import software.amazon.awssdk.services.dynamodb.model.Update;

/** Transactions of users that depend on a lease; some are sent again, with the same token or with another's. */
final class FencedTransactions {

    private static final List<String> COUNTING = List.of(
            "SET #count = if_not_exists(#count, :zero) + :one, #fence = :fence",
            "SET #count = if_not_exists(#count, :one) - :zero, #fence = if_not_exists(#fence, :fence)");

    private final DynamoDbLockStore store;
    private final BothTables tables;
    private final RandomValues values;
    private final List<TransactWriteItemsRequest> sent = new ArrayList<>();

    FencedTransactions(DynamoDbLockStore store, BothTables tables, RandomValues values) {
        this.store = store;
        this.tables = tables;
        this.values = values;
    }

    void next() {
        try {
            tables.transactWriteItems(request());
        } catch (DynamoDbException compared) {
            // Both tables reject it
        }
    }

    private TransactWriteItemsRequest request() {
        if (!sent.isEmpty() && values.inPercent(15)) {
            return values.oneOf(sent);
        }
        TransactWriteItemsRequest.Builder request =
                TransactWriteItemsRequest.builder().transactItems(items());
        if (values.inPercent(40)) {
            request.clientRequestToken(requestToken());
            sent.add(request.build());
        }
        return request.build();
    }

    /** Most often no smaller than the one in the user's row. */
    private long token() {
        AttributeValue seen = tables.item("data").get("fence");
        return Math.max(1, (seen == null ? 0 : Long.parseLong(seen.n())) + values.below(4) - 1);
    }

    private String requestToken() {
        return sent.isEmpty() || values.inPercent(85)
                ? store.layout().tableName() + "-" + sent.size()
                : values.oneOf(sent).clientRequestToken();
    }

    private List<TransactWriteItem> items() {
        String name = values.name();
        Lease lease = ForeignLease.of(store, name, seenId(name), token());
        List<TransactWriteItem> items = new ArrayList<>();
        items.add(TransactWriteItem.builder().conditionCheck(check(lease)).build());
        items.add(write(lease, store.layout().key("data")));
        if (values.inPercent(20)) {
            items.add(write(lease, store.layout().key("more")));
        }
        return items;
    }

    private ConditionCheck check(Lease lease) {
        ConditionCheck check = Fencing.conditionCheck(lease);
        return values.inPercent(95)
                ? check
                : check.toBuilder()
                        .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.NONE)
                        .build();
    }

    private TransactWriteItem write(Lease lease, Map<String, AttributeValue> key) {
        return switch (values.below(5)) {
            case 0 -> TransactWriteItem.builder().put(put(lease, key)).build();
            case 1 -> TransactWriteItem.builder().delete(delete(lease, key)).build();
            default -> TransactWriteItem.builder().update(count(lease, key)).build();
        };
    }

    private Update count(Lease lease, Map<String, AttributeValue> key) {
        Expression condition = Fencing.notFencedOff(lease, "fence");
        Map<String, String> names = new HashMap<>(condition.expressionNames());
        names.put("#count", "count");
        Map<String, AttributeValue> given = new HashMap<>(condition.expressionValues());
        given.put(":zero", fromN("0"));
        given.put(":one", fromN("1"));
        return Update.builder()
                .tableName(store.layout().tableName())
                .key(key)
                .updateExpression(values.oneOf(COUNTING))
                .conditionExpression(condition.expression())
                .expressionAttributeNames(names)
                .expressionAttributeValues(given)
                .returnValuesOnConditionCheckFailure(values.onFailure())
                .build();
    }

    private Put put(Lease lease, Map<String, AttributeValue> key) {
        Expression condition = Fencing.notFencedOff(lease, "fence");
        Map<String, AttributeValue> item = new HashMap<>(key);
        item.put("fence", fromN(Long.toString(lease.fencingToken())));
        item.put("text", fromS("written"));
        item.put("count", fromN(Integer.toString(values.below(5))));
        return Put.builder()
                .tableName(store.layout().tableName())
                .item(item)
                .conditionExpression(condition.expression())
                .expressionAttributeNames(condition.expressionNames())
                .expressionAttributeValues(condition.expressionValues())
                .returnValuesOnConditionCheckFailure(values.onFailure())
                .build();
    }

    private Delete delete(Lease lease, Map<String, AttributeValue> key) {
        Expression condition = Fencing.notFencedOff(lease, "fence");
        return Delete.builder()
                .tableName(store.layout().tableName())
                .key(key)
                .conditionExpression(condition.expression())
                .expressionAttributeNames(condition.expressionNames())
                .expressionAttributeValues(condition.expressionValues())
                .returnValuesOnConditionCheckFailure(values.onFailure())
                .build();
    }

    /** Most often the one in the row. */
    private String seenId(String name) {
        AttributeValue seen = tables.item(name).get(LockRowMapper.LEASE_ID);
        return seen == null || seen.s() == null || values.inPercent(20) ? values.leaseId() : seen.s();
    }
}
