/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.Map;
import java.util.function.Function;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * One write to one row, checked as far as it can be without the row.
 *
 * @param key the row
 * @param condition when it is done
 * @param given for the placeholders
 * @param change from the row as it is to the row as it will be; empty stands for none
 * @param tellsItem whether a rejection carries the row
 */
record FakeWrite(
        FakeKeys.Key key,
        FakeCondition condition,
        FakePlaceholders given,
        Function<FakeScope, Map<String, AttributeValue>> change,
        boolean tellsItem) {

    boolean holds(Map<String, AttributeValue> item) {
        return condition.holds(new FakeScope(item, given));
    }

    Map<String, AttributeValue> after(Map<String, AttributeValue> item) {
        return change.apply(new FakeScope(item, given));
    }
}
