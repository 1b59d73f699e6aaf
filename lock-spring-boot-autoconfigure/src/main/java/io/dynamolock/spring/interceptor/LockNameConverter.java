/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Converts the value of an expression to text that is the same in every process, or rejects the value. */
final class LockNameConverter {

    private static final ClassValue<Class<?>> TEXT_OF = new ClassValue<>() {
        @Override
        protected Class<?> computeValue(Class<?> type) {
            try {
                return type.getMethod("toString").getDeclaringClass();
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

    /** Also of the parts, if the JDK puts their texts together. */
    private static void requireText(Object value, String what) {
        Class<?> type = TEXT_OF.get(value.getClass());
        if (type == Object.class) {
            throw new IllegalArgumentException("%s a %s, which does not override toString()"
                    .formatted(what, value.getClass().getName()));
        }
        if (type.getClassLoader() == null) {
            parts(value).filter(part -> part != null && part != value).forEach(part -> requireText(part, "contains"));
        }
    }

    private static Stream<?> parts(Object value) {
        if (value instanceof Collection<?> collection) {
            return collection.stream();
        }
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream();
        }
        if (value instanceof Map.Entry<?, ?> entry) {
            return Stream.of(entry.getKey(), entry.getValue());
        }
        return value instanceof Optional<?> optional ? optional.stream() : Stream.empty();
    }
}
