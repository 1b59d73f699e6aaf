/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Converts the value of an expression to text that is the same in every process, or rejects the value. */
final class LockNameConverter {

    private static final ClassValue<Boolean> HAS_TEXT = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                return type.getMethod("toString").getDeclaringClass() != Object.class;
            } catch (NoSuchMethodException impossible) {
                throw new IllegalStateException(impossible);
            }
        }
    };

    private LockNameConverter() {}

    static String of(@Nullable Object value) {
        Object given = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (given == null) {
            throw new IllegalArgumentException("evaluates to null");
        }
        requireText(given, "evaluates to");
        String text = given.toString();
        if (text.isBlank()) {
            throw new IllegalArgumentException("evaluates to blank text");
        }
        return text;
    }

    private static void requireText(Object value, String what) {
        if (!HAS_TEXT.get(value.getClass())) {
            throw new IllegalArgumentException("%s a %s, which does not override toString()"
                    .formatted(what, value.getClass().getName()));
        }
        if (value instanceof Collection<?> elements) {
            requireTexts(elements);
        } else if (value instanceof Map<?, ?> map) {
            requireTexts(map.keySet());
            requireTexts(map.values());
        }
    }

    private static void requireTexts(Collection<?> elements) {
        elements.stream().filter(Objects::nonNull).forEach(element -> requireText(element, "contains"));
    }
}
