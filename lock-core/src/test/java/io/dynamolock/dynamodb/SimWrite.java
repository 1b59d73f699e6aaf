/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * One write to one row, checked as far as it can be without the row.
 *
 * @param key the row
 * @param condition when it is done
 * @param names by placeholder
 * @param values by placeholder
 * @param change from the row as it is to the row as it will be; empty stands for none
 * @param tellsItem whether a refusal carries the row
 */
record SimWrite(
        SimKeys.Key key,
        SimCondition condition,
        Map<String, String> names,
        Map<String, AttributeValue> values,
        Change change,
        boolean tellsItem) {

    boolean holds(Map<String, AttributeValue> item) {
        return condition.holds(new SimScope(item, names, values));
    }

    Map<String, AttributeValue> after(Map<String, AttributeValue> item) {
        return change.of(new SimScope(item, names, values));
    }

    @FunctionalInterface
    interface Change {

        Map<String, AttributeValue> of(SimScope scope);
    }
}
