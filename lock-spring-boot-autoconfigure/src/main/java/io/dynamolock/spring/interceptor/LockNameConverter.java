/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Converts the value of an expression to text that is the same in every process, or rejects the value. Looks into
 * collections, maps, references and records.
 */
final class LockNameConverter {

    /** A longer name is refused anyway. */
    private static final int LONGEST = 2_048;

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

    private final String text;
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private LockNameConverter(String text) {
        this.text = text;
    }

    static String of(@Nullable Object value) {
        Object given = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (given == null) {
            throw new IllegalArgumentException("evaluates to null");
        }
        String text = given.toString();
        if (text.isBlank()) {
            throw new IllegalArgumentException("evaluates to blank text");
        }
        if (!(given instanceof String) && text.length() <= LONGEST && mayDiffer(text)) {
            new LockNameConverter(text).requireSameInEachProcess(given, "evaluates to");
        }
        return text;
    }

    /** Returns whether a text may show an identity, a collection or a map. */
    private static boolean mayDiffer(String text) {
        return text.indexOf('@') >= 0 || text.indexOf('[') >= 0 || text.indexOf('{') >= 0;
    }

    /** Also of its parts, as far as the text shows them, which may contain the value again. */
    private void requireSameInEachProcess(Object value, String what) {
        if (!seen.add(value)) {
            return;
        }
        Object target = AopProxyUtils.getSingletonTarget(value);
        if (showsIdentity(target == null ? value : target)) {
            throw new IllegalArgumentException(
                    "%s a %s, whose text has a hash code that differs in each process; use a property of it, or override toString()"
                            .formatted(what, value.getClass().getTypeName()));
        }
        if (isUnordered(value) && text.contains(value.toString())) {
            throw new IllegalArgumentException(
                    "%s a %s, whose order may differ in each process; use a list, or a sorted set or map"
                            .formatted(what, value.getClass().getTypeName()));
        }
        parts(value).filter(part -> part != null).forEach(part -> requireSameInEachProcess(part, "contains"));
    }

    /** Returns whether the text has what {@link Object#toString()} returns for a value. */
    private boolean showsIdentity(Object value) {
        String type = value.getClass().getName() + "@";
        return text.contains(type) && text.contains(type + Integer.toHexString(value.hashCode()));
    }

    /** Returns whether a value has an order that its spliterator does not report, or is a list. */
    private static boolean isOrdered(Object value) {
        return value instanceof List
                || value instanceof EnumSet
                || value instanceof EnumMap
                || value instanceof CopyOnWriteArraySet;
    }

    private static boolean isUnordered(Object value) {
        if (isOrdered(value)) {
            return false;
        }
        Collection<?> elements = value instanceof Map<?, ?> map
                ? map.keySet()
                : value instanceof Collection<?> collection ? collection : List.of();
        return elements.size() > 1
                && !elements.spliterator().hasCharacteristics(Spliterator.ORDERED)
                && hasTextOfTheJdk(value.getClass());
    }

    private static boolean hasTextOfTheJdk(Class<?> type) {
        try {
            return type.getMethod("toString").getDeclaringClass().getClassLoader() == null;
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns what the text of a value consists of, if it is not a text of its own. */
    private Stream<?> parts(Object value) {
        Class<?> type = value.getClass();
        if (type.isRecord()) {
            Field[] fields = RECORD_FIELDS.get(type);
            boolean generated =
                    fields.length > 0 && text.contains("%s[%s=".formatted(type.getSimpleName(), fields[0].getName()));
            return generated ? Stream.of(fields).map(field -> ReflectionUtils.getField(field, value)) : Stream.empty();
        }
        return hasTextOfTheJdk(type) ? partsOfTheJdk(value) : Stream.empty();
    }

    private static Stream<?> partsOfTheJdk(Object value) {
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
        return value instanceof Optional<?> optional ? optional.stream() : Stream.empty();
    }
}
