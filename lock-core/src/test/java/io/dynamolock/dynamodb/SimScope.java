/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What an expression's placeholders stand for, and the item as it is. Who uses it has seen to it that no placeholder is missing.
 *
 * @param item empty if there is none
 * @param names by placeholder
 * @param values by placeholder
 */
record SimScope(Map<String, AttributeValue> item, Map<String, String> names, Map<String, AttributeValue> values) {

    @Nullable
    AttributeValue attribute(String placeholder) {
        return item.get(name(placeholder));
    }

    String name(String placeholder) {
        return Objects.requireNonNull(names.get(placeholder));
    }

    AttributeValue value(String placeholder) {
        return Objects.requireNonNull(values.get(placeholder));
    }
}
