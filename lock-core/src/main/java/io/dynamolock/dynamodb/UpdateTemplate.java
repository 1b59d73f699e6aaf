/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/**
 * The constant part of all requests of one kind. The names of attributes are literals where DynamoDB permits it,
 * because requests are signed and parsed; those that are reserved words or may be configured are declared. DynamoDB
 * rejects a name that is declared but unused, so only the used ones are.
 */
final class UpdateTemplate {

    /** Attributes whose names are reserved words of DynamoDB. */
    private static final Set<String> RESERVED = Set.of("format", "owner");

    private final String tableName;
    private final String update;
    private final String condition;
    private final ReturnValue returned;
    private final Map<String, String> names;

    UpdateTemplate(TableLayout layout, String update, String condition, ReturnValue returned) {
        Map<String, String> used = new HashMap<>();
        this.tableName = layout.tableName();
        this.update = declared(layout, update, used);
        this.condition = declared(layout, condition, used);
        this.returned = returned;
        this.names = Map.copyOf(used);
    }

    /** Replaces placeholders by literals where possible; adds the others to the names. */
    private static String declared(TableLayout layout, String expression, Map<String, String> names) {
        String[] parts = expression.split("#", -1);
        StringBuilder declared = new StringBuilder(parts[0]);
        for (int i = 1; i < parts.length; i++) {
            String placeholder = nameAtStartOf(parts[i]);
            if (!LockRowMapper.ATTRIBUTES.contains(placeholder) || RESERVED.contains(placeholder)) {
                names.put("#" + placeholder, layout.attribute(placeholder));
                declared.append('#');
            }
            declared.append(parts[i]);
        }
        return declared.toString();
    }

    private static String nameAtStartOf(String part) {
        int end = 0;
        while (end < part.length() && Character.isJavaIdentifierPart(part.charAt(end))) {
            end++;
        }
        return part.substring(0, end);
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
