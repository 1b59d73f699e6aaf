/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/** Converts the value of an expression to text that is the same in every process, or rejects the value. */
final class LockNameConverter {

    /** The readable fields of a record, which make its text; none of another class. */
    private static final ClassValue<Field[]> RECORD_FIELDS = new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
            return type.isRecord()
                    ? Stream.of(type.getDeclaredFields())
                            .filter(field -> !Modifier.isStatic(field.getModifiers()) && field.trySetAccessible())
                            .toArray(Field[]::new)
                    : new Field[0];
        }
    };

    private LockNameConverter() {}

    static String of(@Nullable Object value) {
        Object given = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (given == null) {
            throw new IllegalArgumentException("evaluates to null");
        }
        String text = given.toString();
        if (text.isBlank()) {
            throw new IllegalArgumentException("evaluates to blank text");
        }
        requireSameInEachProcess(given, text, "evaluates to", new ArrayDeque<>());
        return text;
    }

    /** Also of its parts, as far as the text shows them, which may contain the value again. */
    private static void requireSameInEachProcess(Object value, String text, String what, Deque<Object> containers) {
        if (showsIdentity(value, text)) {
            throw new IllegalArgumentException(
                    "%s a %s, whose text has a hash code that differs in each process; use a property of it, or override toString()"
                            .formatted(what, value.getClass().getTypeName()));
        }
        if (isUnordered(value) && text.contains(value.toString())) {
            throw new IllegalArgumentException(
                    "%s a %s, whose order may differ in each process; use a list, or a sorted set or map"
                            .formatted(what, value.getClass().getTypeName()));
        }
        containers.push(value);
        parts(value)
                .filter(part -> part != null && containers.stream().noneMatch(container -> container == part))
                .forEach(part -> requireSameInEachProcess(part, text, "contains", containers));
        containers.pop();
    }

    /** Returns whether a text has what {@link Object#toString()} returns for a value. */
    private static boolean showsIdentity(Object value, String text) {
        String type = value.getClass().getName() + "@";
        return text.contains(type) && text.contains(type + Integer.toHexString(value.hashCode()));
    }

    private static boolean isUnordered(Object value) {
        boolean isOrdered = value instanceof SortedSet
                || value instanceof LinkedHashSet
                || value instanceof EnumSet
                || value instanceof SortedMap
                || value instanceof LinkedHashMap
                || value instanceof EnumMap;
        return !isOrdered && (value instanceof Set || value instanceof Map) && hasTextOfTheJdk(value.getClass());
    }

    private static boolean hasTextOfTheJdk(Class<?> type) {
        try {
            return type.getMethod("toString").getDeclaringClass().getClassLoader() == null;
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
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
        if (value instanceof AtomicReference<?> reference) {
            return Stream.ofNullable(reference.get());
        }
        if (value instanceof Optional<?> optional) {
            return optional.stream();
        }
        return Stream.of(RECORD_FIELDS.get(value.getClass())).map(field -> ReflectionUtils.getField(field, value));
    }
}
