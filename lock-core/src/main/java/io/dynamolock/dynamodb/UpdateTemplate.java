/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The constant part of all requests of one kind. DynamoDB rejects a name that is declared but unused, so it declares
 * the used ones.
 */
final class UpdateTemplate {

    private static final Pattern PLACEHOLDER = Pattern.compile("#(\\w+)");

    private final String tableName;
    private final String update;
    private final String condition;
    private final ReturnValue returned;
    private final Map<String, String> names;

    UpdateTemplate(TableLayout layout, String update, String condition, ReturnValue returned) {
        this.tableName = layout.tableName();
        this.update = update;
        this.condition = condition;
        this.returned = returned;
        Map<String, String> used = new HashMap<>();
        PLACEHOLDER
                .matcher(update + " " + condition)
                .results()
                .forEach(found -> used.put(found.group(), layout.attribute(found.group(1))));
        this.names = Map.copyOf(used);
    }

    UpdateItemRequest.Builder request(Map<String, AttributeValue> key, Map<String, AttributeValue> values) {
        return UpdateItemRequest.builder()
                .tableName(tableName)
                .key(key)
                .updateExpression(update)
                .conditionExpression(condition)
                .expressionAttributeNames(names)
                .expressionAttributeValues(values)
                .returnValues(returned)
                .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD);
    }
}
