/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.Map;
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

    private static final SimWrite.Change NONE = SimScope::item;
    private static final SimWrite.Change DELETE = scope -> scope.item().isEmpty() ? scope.item() : Map.of();

    private final String table;
    private final SimKeys keys;
    private final SimPlan.Cache plans = new SimPlan.Cache();

    SimWrites(String table, SimKeys keys) {
        this.table = table;
        this.keys = keys;
    }

    SimWrite of(UpdateItemRequest request) {
        refuseLegacy(request);
        return update(
                request.tableName(),
                request.key(),
                request.updateExpression(),
                request.conditionExpression(),
                request.expressionAttributeNames(),
                request.expressionAttributeValues(),
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
        if (item.put() != null) {
            return put(item.put());
        }
        return delete(item.delete());
    }

    private SimWrite check(ConditionCheck check) {
        SimKeys.Key key = key(check.tableName(), check.key());
        return conditional(
                key,
                check.conditionExpression(),
                check.expressionAttributeNames(),
                check.expressionAttributeValues(),
                NONE,
                check.returnValuesOnConditionCheckFailure());
    }

    private SimWrite delete(Delete delete) {
        SimKeys.Key key = key(delete.tableName(), delete.key());
        return conditional(
                key,
                delete.conditionExpression(),
                delete.expressionAttributeNames(),
                delete.expressionAttributeValues(),
                DELETE,
                delete.returnValuesOnConditionCheckFailure());
    }

    private SimWrite put(Put put) {
        checkTable(put.tableName());
        Map<String, AttributeValue> item = Map.copyOf(SimValues.keptAll(put.item()));
        return conditional(
                keys.ofItem(item),
                put.conditionExpression(),
                put.expressionAttributeNames(),
                put.expressionAttributeValues(),
                scope -> item,
                put.returnValuesOnConditionCheckFailure());
    }

    private SimWrite update(Update update) {
        return update(
                update.tableName(),
                update.key(),
                update.updateExpression(),
                update.conditionExpression(),
                update.expressionAttributeNames(),
                update.expressionAttributeValues(),
                update.returnValuesOnConditionCheckFailure());
    }

    private SimWrite update(
            String tableName,
            Map<String, AttributeValue> keyAttributes,
            @Nullable String updateExpression,
            @Nullable String conditionExpression,
            Map<String, String> names,
            Map<String, AttributeValue> givenValues,
            @Nullable ReturnValuesOnConditionCheckFailure onFailure) {
        SimKeys.Key key = key(tableName, keyAttributes);
        SimPlan plan = plans.plan(updateExpression, conditionExpression);
        Map<String, AttributeValue> values = SimValues.keptAll(givenValues);
        SimScope scope = plan.scope(Map.of(), names, values);
        plan.update().check(scope, keyAttributes);
        plan.condition().check(scope);
        return new SimWrite(
                key,
                plan.condition(),
                names,
                values,
                now -> plan.update().applied(now, keyAttributes),
                onFailure == ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }

    private SimWrite conditional(
            SimKeys.Key key,
            @Nullable String conditionExpression,
            Map<String, String> names,
            Map<String, AttributeValue> givenValues,
            SimWrite.Change change,
            @Nullable ReturnValuesOnConditionCheckFailure onFailure) {
        SimPlan plan = plans.plan(null, conditionExpression);
        Map<String, AttributeValue> values = SimValues.keptAll(givenValues);
        plan.condition().check(plan.scope(Map.of(), names, values));
        return new SimWrite(
                key, plan.condition(), names, values, change, onFailure == ReturnValuesOnConditionCheckFailure.ALL_OLD);
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
