/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.metrics;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/** One value for each constant of an enum. */
record ByConstant<K extends Enum<K>, V>(Map<K, V> values) {

    static <K extends Enum<K>, V> ByConstant<K, V> of(Class<K> type, Function<K, V> value) {
        Map<K, V> values = new EnumMap<>(type);
        for (K constant : type.getEnumConstants()) {
            values.put(constant, value.apply(constant));
        }
        return new ByConstant<>(values);
    }

    V get(K constant) {
        return Objects.requireNonNull(values.get(constant));
    }
}
