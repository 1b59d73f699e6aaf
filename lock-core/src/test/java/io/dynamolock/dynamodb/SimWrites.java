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

/** Makes writes of requests, and refuses those that are not valid for any row. */
final class SimWrites {

    private final String table;
    private final SimKeys keys;
    private final SimExpressions.Cache plans = new SimExpressions.Cache();

    SimWrites(String table, SimKeys keys) {
        this.table = table;
        this.keys = keys;
    }

    SimWrite of(UpdateItemRequest request) {
        refuseLegacy(request);
        SimKeys.Key key = key(request.tableName(), request.key());
        SimPlaceholders given = SimPlaceholders.given(
                request.hasExpressionAttributeNames(),
                request.expressionAttributeNames(),
                request.hasExpressionAttributeValues(),
                request.expressionAttributeValues());
        SimExpressions plan = plans.plan(request.updateExpression(), request.conditionExpression());
        plan.check(given);
        return write(
                key,
                plan,
                given,
                scope -> plan.update().applied(scope, request.key()),
                request.returnValuesOnConditionCheckFailure());
    }

    private static void refuseLegacy(UpdateItemRequest request) {
        if (request.hasAttributeUpdates() || request.hasExpected() || request.conditionalOperator() != null) {
            throw new UnsupportedOperationException("Legacy parameters");
        }
    }

    SimWrite of(TransactWriteItem item) {
        if (item.conditionCheck() != null) {
            return check(item.conditionCheck());
        }
        if (item.update() != null) {
            return update(item.update());
        }
        return item.put() == null ? delete(item.delete()) : put(item.put());
    }

    private SimWrite check(ConditionCheck check) {
        SimKeys.Key key = key(check.tableName(), check.key());
        SimPlaceholders given = SimPlaceholders.given(
                check.hasExpressionAttributeNames(),
                check.expressionAttributeNames(),
                check.hasExpressionAttributeValues(),
                check.expressionAttributeValues());
        SimExpressions plan = plans.plan(null, check.conditionExpression());
        plan.check(given);
        return write(key, plan, given, SimScope::item, check.returnValuesOnConditionCheckFailure());
    }

    private SimWrite update(Update update) {
        SimKeys.Key key = key(update.tableName(), update.key());
        SimPlaceholders given = SimPlaceholders.given(
                update.hasExpressionAttributeNames(),
                update.expressionAttributeNames(),
                update.hasExpressionAttributeValues(),
                update.expressionAttributeValues());
        SimExpressions plan = plans.plan(update.updateExpression(), update.conditionExpression());
        plan.check(given);
        return write(
                key,
                plan,
                given,
                scope -> plan.update().applied(scope, update.key()),
                update.returnValuesOnConditionCheckFailure());
    }

    private SimWrite put(Put put) {
        checkTable(put.tableName());
        Map<String, AttributeValue> item = SimValues.keptAll(put.item());
        SimPlaceholders given = SimPlaceholders.given(
                put.hasExpressionAttributeNames(),
                put.expressionAttributeNames(),
                put.hasExpressionAttributeValues(),
                put.expressionAttributeValues());
        SimExpressions plan = plans.plan(null, put.conditionExpression());
        plan.check(given);
        return write(keys.ofItem(item), plan, given, scope -> item, put.returnValuesOnConditionCheckFailure());
    }

    private SimWrite delete(Delete delete) {
        SimKeys.Key key = key(delete.tableName(), delete.key());
        SimPlaceholders given = SimPlaceholders.given(
                delete.hasExpressionAttributeNames(),
                delete.expressionAttributeNames(),
                delete.hasExpressionAttributeValues(),
                delete.expressionAttributeValues());
        SimExpressions plan = plans.plan(null, delete.conditionExpression());
        plan.check(given);
        return write(key, plan, given, scope -> Map.of(), delete.returnValuesOnConditionCheckFailure());
    }

    private static SimWrite write(
            SimKeys.Key key,
            SimExpressions plan,
            SimPlaceholders given,
            Function<SimScope, Map<String, AttributeValue>> change,
            @Nullable ReturnValuesOnConditionCheckFailure onFailure) {
        return new SimWrite(
                key, plan.condition(), given, change, onFailure == ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }

    SimKeys.Key key(String tableName, Map<String, AttributeValue> attributes) {
        checkTable(tableName);
        return keys.ofRequest(attributes);
    }

    private void checkTable(String tableName) {
        if (!tableName.equals(table)) {
            throw SimErrors.noSuchTable();
        }
    }
}
