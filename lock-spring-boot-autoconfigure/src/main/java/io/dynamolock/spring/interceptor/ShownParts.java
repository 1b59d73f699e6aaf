/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.Buffer;
import java.nio.CharBuffer;
import java.util.Arrays;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
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
import org.springframework.util.ReflectionUtils;

/**
 * Rejects a value with a part whose type makes its text differ in each process. Looks into collections, maps,
 * references and records, but only as far as the text shows them: others may be lazy, or have millions of elements.
 */
final class ShownParts {

    /** The readable fields of a record, which make its text. */
    private static final ClassValue<Field[]> RECORD_FIELDS = new ClassValue<>() {
        @Override
        protected Field[] computeValue(Class<?> type) {
            return Stream.of(type.getDeclaredFields())
                    .filter(field -> !Modifier.isStatic(field.getModifiers()) && field.trySetAccessible())
                    .toArray(Field[]::new);
        }
    };

    private final Object whole;
    private final String text;
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    /** How many parts to look at: a text shows no more of them than it has characters. */
    private int left;

    private ShownParts(Object whole, String text) {
        this.whole = whole;
        this.text = text;
        this.left = text.length();
    }

    /**
     * Checks a value and its parts, which may contain the value again.
     *
     * @throws IllegalArgumentException if the text may differ; the message begins with {@code what}
     */
    static void requireSameInEachProcess(Object value, String text, String what) {
        new ShownParts(value, text).requireSameInEachProcess(value, what);
    }

    private void requireSameInEachProcess(Object value, String what) {
        if (value instanceof Collection || value instanceof Map) {
            requireSameElements(value, what);
        } else if (value.getClass().isRecord()) {
            Field[] fields = RECORD_FIELDS.get(value.getClass());
            if (showsAll(fields, value.getClass().getSimpleName())) {
                requireSameParts(Stream.of(fields)
                        .map(field -> ReflectionUtils.getField(field, value))
                        .toList());
            }
        } else if (value instanceof Map.Entry<?, ?> entry) {
            requireSameParts(Arrays.asList(entry.getKey(), entry.getValue()));
        } else if (value instanceof AtomicReference<?> reference) {
            requireSameParts(Arrays.asList(reference.get()));
        } else if (value instanceof Optional<?> optional) {
            requireSameParts(Arrays.asList(optional.orElse(null)));
        } else {
            String weakness = weakness(value);
            if (weakness != null && text.contains(value.toString())) {
                throw rejected(value, what, weakness);
            }
        }
    }

    private void requireSameElements(Object value, String what) {
        if (!seen.add(value)) {
            return;
        }
        String shown = value.toString();
        boolean joined = value == whole && !text.equals(shown); // by SpEL, whatever its toString() is
        if (!joined && !(text.contains(shown) && (shown.startsWith("[") || shown.startsWith("{")))) {
            return;
        }
        if (!isOrdered(value)) {
            throw rejected(value, what, "order may differ in each process; use a list, or a sorted set or map");
        }
        requireSameParts(value instanceof Map<?, ?> map ? map.entrySet() : (Collection<?>) value);
    }

    private void requireSameParts(Iterable<? extends @Nullable Object> parts) {
        for (Object part : parts) {
            if (--left < 0) {
                return;
            }
            if (part != null) {
                requireSameInEachProcess(part, "contains");
            }
        }
    }

    /** Returns whether the text has the form that a record without a {@code toString()} of its own has. */
    private boolean showsAll(Field[] fields, String type) {
        int at = 0;
        String separator = type + "[";
        for (Field field : fields) {
            at = text.indexOf(separator + field.getName() + "=", at);
            if (at < 0) {
                return false;
            }
            separator = ", ";
        }
        return true;
    }

    private static boolean isOrdered(Object value) {
        Collection<?> elements = value instanceof Map<?, ?> map ? map.keySet() : (Collection<?>) value;
        Class<?> outer = value.getClass().getEnclosingClass();
        return value instanceof List
                || value instanceof EnumSet
                || value instanceof EnumMap
                || outer == EnumMap.class
                || value instanceof CopyOnWriteArraySet
                || value.getClass().getName().startsWith("kotlin.collections.builders.")
                || elements.size() < 2
                || elements.spliterator().hasCharacteristics(Spliterator.ORDERED)
                || (outer == Collections.class && isInOrderOfDeclaration(elements));
    }

    /** A wrapper hides its enum set, which it need not have: no other order of the same constants is accepted. */
    @SuppressWarnings("EnumOrdinal") // compared only within this process
    private static boolean isInOrderOfDeclaration(Collection<?> elements) {
        int last = -1;
        for (Object element : elements) {
            if (!(element instanceof Enum<?> constant) || constant.ordinal() <= last) {
                return false;
            }
            last = constant.ordinal();
        }
        return true;
    }

    private @Nullable String weakness(Object value) {
        String type = value.getClass().getName();
        if (text.contains(type + "@")) {
            return "text has a hash code that differs in each process, %s@...; use %s"
                    .formatted(
                            type,
                            value.getClass().isArray() ? elements(value) : "a property of it, or override toString()");
        }
        if (type.equals("java.sql.Date") || type.equals("java.sql.Time")) {
            return null; // a date or a time without a zone
        }
        if (value instanceof Date || value instanceof Calendar) {
            return "text depends on the time zone of the process; use a type of java.time, such as its toInstant()";
        }
        if (value instanceof InetAddress || value instanceof InetSocketAddress) {
            return "text depends on how it was looked up; use its getHostAddress() or getHostString()";
        }
        return value instanceof Buffer && !(value instanceof CharBuffer)
                ? "text does not show what it contains; use its content"
                : null;
    }

    private String elements(Object array) {
        boolean canBeSeveral = array == whole && SeveralValues.elements(array) != null;
        return "its elements: one, as in #{#ids[0]}, or all, joined by commas, as in #{'' + #ids}"
                + (canBeSeveral ? ", or a lock for each, by names instead of name" : "");
    }

    private static IllegalArgumentException rejected(Object value, String what, String why) {
        return new IllegalArgumentException("%s a value of type %s, whose %s"
                .formatted(what, value.getClass().getTypeName(), why));
    }
}
