/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.Map;
import java.util.Set;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What a request gives for the placeholders in its expressions.
 *
 * @param names of attributes
 * @param values as they are kept
 */
record FakePlaceholders(Map<String, String> names, Map<String, AttributeValue> values) {

    /** Rejects values that are none, and a map that is given but empty. */
    static FakePlaceholders given(
            boolean hasNames, Map<String, String> names, boolean hasValues, Map<String, AttributeValue> values) {
        if ((hasNames && names.isEmpty()) || (hasValues && values.isEmpty())) {
            throw FakeErrors.validation("ExpressionAttributeNames and ExpressionAttributeValues must not be empty");
        }
        return new FakePlaceholders(names, FakeValues.keptAll(values));
    }

    /** Rejects a placeholder that is used but not given, and one that is given but not used. */
    void check(Set<String> used) {
        for (String placeholder : used) {
            if (!names.containsKey(placeholder) && !values.containsKey(placeholder)) {
                throw FakeErrors.validation("Invalid expression: not defined; placeholder: " + placeholder);
            }
        }
        if (used.size() < names.size() + values.size()) {
            throw FakeErrors.validation("Value provided in ExpressionAttributeNames or Values unused in expressions");
        }
    }
}
