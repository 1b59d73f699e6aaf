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
 * What an expression is about. Who uses it has seen to it that no placeholder is missing.
 *
 * @param item as it is; empty if there is none
 * @param given for the placeholders
 */
record FakeScope(Map<String, AttributeValue> item, FakePlaceholders given) {

    @Nullable
    AttributeValue attribute(String written) {
        return item.get(name(written));
    }

    /** The name of an attribute that is written as a placeholder, or literally. */
    String name(String written) {
        return written.startsWith("#") ? Objects.requireNonNull(given.names().get(written)) : written;
    }

    AttributeValue value(String placeholder) {
        return Objects.requireNonNull(given.values().get(placeholder));
    }
}
