/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionCheck;
import software.amazon.awssdk.services.dynamodb.model.Delete;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.Update;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Makes writes of requests, and rejects those that are not valid for any row. */
final class FakeWrites {

    private final String table;
    private final FakeKeys keys;
    private final FakeExpressions.Cache plans = new FakeExpressions.Cache();

    FakeWrites(String table, FakeKeys keys) {
        this.table = table;
        this.keys = keys;
    }

    FakeWrite of(UpdateItemRequest request) {
        rejectLegacy(request);
        FakeKeys.Key key = key(request.tableName(), request.key());
        FakePlaceholders given = FakePlaceholders.given(
                request.hasExpressionAttributeNames(),
                request.expressionAttributeNames(),
                request.hasExpressionAttributeValues(),
                request.expressionAttributeValues());
        FakeExpressions plan = plans.plan(request.updateExpression(), request.conditionExpression());
        plan.check(given);
        return write(
                key,
                plan,
                given,
                scope -> plan.update().applied(scope, request.key()),
                request.returnValuesOnConditionCheckFailure());
    }

    private static void rejectLegacy(UpdateItemRequest request) {
        if (request.hasAttributeUpdates() || request.hasExpected() || request.conditionalOperator() != null) {
            throw new UnsupportedOperationException("Legacy parameters");
        }
    }

    FakeWrite of(TransactWriteItem item) {
        if (item.conditionCheck() != null) {
            return check(item.conditionCheck());
        }
        if (item.update() != null) {
            return update(item.update());
        }
        return item.put() == null ? delete(item.delete()) : put(item.put());
    }

    private FakeWrite check(ConditionCheck check) {
        FakeKeys.Key key = key(check.tableName(), check.key());
        FakePlaceholders given = FakePlaceholders.given(
                check.hasExpressionAttributeNames(),
                check.expressionAttributeNames(),
                check.hasExpressionAttributeValues(),
                check.expressionAttributeValues());
        FakeExpressions plan = plans.plan(null, check.conditionExpression());
        plan.check(given);
        return write(key, plan, given, FakeScope::item, check.returnValuesOnConditionCheckFailure());
    }

    private FakeWrite update(Update update) {
        FakeKeys.Key key = key(update.tableName(), update.key());
        FakePlaceholders given = FakePlaceholders.given(
                update.hasExpressionAttributeNames(),
                update.expressionAttributeNames(),
                update.hasExpressionAttributeValues(),
                update.expressionAttributeValues());
        FakeExpressions plan = plans.plan(update.updateExpression(), update.conditionExpression());
        plan.check(given);
        return write(
                key,
                plan,
                given,
                scope -> plan.update().applied(scope, update.key()),
                update.returnValuesOnConditionCheckFailure());
    }

    private FakeWrite put(Put put) {
        checkTable(put.tableName());
        Map<String, AttributeValue> item = FakeValues.keptAll(put.item());
        FakePlaceholders given = FakePlaceholders.given(
                put.hasExpressionAttributeNames(),
                put.expressionAttributeNames(),
                put.hasExpressionAttributeValues(),
                put.expressionAttributeValues());
        FakeExpressions plan = plans.plan(null, put.conditionExpression());
        plan.check(given);
        return write(keys.ofItem(item), plan, given, scope -> item, put.returnValuesOnConditionCheckFailure());
    }

    private FakeWrite delete(Delete delete) {
        FakeKeys.Key key = key(delete.tableName(), delete.key());
        FakePlaceholders given = FakePlaceholders.given(
                delete.hasExpressionAttributeNames(),
                delete.expressionAttributeNames(),
                delete.hasExpressionAttributeValues(),
                delete.expressionAttributeValues());
        FakeExpressions plan = plans.plan(null, delete.conditionExpression());
        plan.check(given);
        return write(key, plan, given, scope -> Map.of(), delete.returnValuesOnConditionCheckFailure());
    }

    private static FakeWrite write(
            FakeKeys.Key key,
            FakeExpressions plan,
            FakePlaceholders given,
            Function<FakeScope, Map<String, AttributeValue>> change,
            @Nullable ReturnValuesOnConditionCheckFailure onFailure) {
        return new FakeWrite(
                key, plan.condition(), given, change, onFailure == ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }

    FakeKeys.Key key(String tableName, Map<String, AttributeValue> attributes) {
        checkTable(tableName);
        return keys.ofRequest(attributes);
    }

    private void checkTable(String tableName) {
        if (!tableName.equals(table)) {
            throw FakeErrors.noSuchTable();
        }
    }
}
