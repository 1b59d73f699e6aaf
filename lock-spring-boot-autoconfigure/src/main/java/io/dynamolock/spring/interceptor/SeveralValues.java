/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;

/** Distinguishes the values of an expression that stand for several locks from those that stand for one. */
final class SeveralValues {

    private SeveralValues() {}

    /**
     * Returns the elements of a collection or an array, which stand for one lock each.
     *
     * @return null if the value stands for one lock
     * @throws IllegalArgumentException if it may stand for one lock or for several, or an element may
     */
    static @Nullable Collection<?> of(@Nullable Object value) {
        Object given = LockNameConverter.unwrapped(value);
        Collection<?> elements = elements(given);
        if (elements == null) {
            if (isUnclear(given)) {
                throw new IllegalArgumentException(
                        "evaluates to a value of type %s, which may stand for one lock or for several; use %s"
                                .formatted(
                                        ObjectUtils.nullSafeClassName(given),
                                        given instanceof Map
                                                ? "its keys or its values, as in #{#map.keySet()} or #{#map.values()}"
                                                : "a collection of its values, such as its toList(), or one text, such as its asText()"));
            }
            return null;
        }
        for (Object element : elements) {
            Object each = LockNameConverter.unwrapped(element);
            if (elements(each) != null || isUnclear(each)) {
                throw new IllegalArgumentException(
                        "evaluates to values that include one of type %s, which may stand for several locks itself; use one text for each lock, such as those of #nodes.![asText()]"
                                .formatted(ObjectUtils.nullSafeClassName(each)));
            }
        }
        return elements;
    }

    /** The elements of an array of bytes or characters are no values. */
    static @Nullable Collection<?> elements(@Nullable Object value) {
        boolean isArray = ObjectUtils.isArray(value) && !(value instanceof byte[]) && !(value instanceof char[]);
        return isArray
                ? Arrays.asList(ObjectUtils.toObjectArray(value))
                : value instanceof Collection<?> collection ? collection : null;
    }

    /** Whether a value may have elements without being a collection, as maps, pages and JSON. A path is one value. */
    private static boolean isUnclear(@Nullable Object value) {
        return value instanceof Map || (value instanceof Iterable && !(value instanceof Path));
    }
}
