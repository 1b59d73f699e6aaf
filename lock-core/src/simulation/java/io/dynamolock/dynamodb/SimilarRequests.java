/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.List;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

/** Updates similar to the store's: other conditions, other changes, and some invalid ones. */
final class SimilarRequests {

    private final TableLayout layout;
    private final BothTables tables;
    private final RandomValues values;

    SimilarRequests(TableLayout layout, BothTables tables, RandomValues values) {
        this.layout = layout;
        this.tables = tables;
        this.values = values;
    }

    void next() {
        String name = values.name();
        RandomExpressions expressions = new RandomExpressions(layout, tables.item(name), values);
        UpdateItemRequest.Builder request = UpdateItemRequest.builder()
                .tableName(layout.tableName())
                .key(layout.key(name))
                .returnValues(values.oneOf(List.of(ReturnValue.NONE, ReturnValue.ALL_NEW, ReturnValue.ALL_OLD)))
                .returnValuesOnConditionCheckFailure(values.onFailure());
        request.updateExpression(expressions.update());
        if (values.inPercent(90)) {
            request.conditionExpression(expressions.condition(3));
        }
        expressions.addPlaceholdersTo(request);
        if (values.inPercent(20)) {
            new RequestCorruption(layout, values).corruption(request);
        }
        try {
            tables.updateItem(request.build());
        } catch (DynamoDbException compared) {
            // Both tables reject it
        }
    }
}
