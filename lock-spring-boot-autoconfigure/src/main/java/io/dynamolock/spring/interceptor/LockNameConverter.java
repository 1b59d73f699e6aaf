/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns the value of an expression into text that is the same in every process, or refuses it. */
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
            throw new IllegalArgumentException("gives null");
        }
        if (!HAS_TEXT.get(given.getClass())) {
            throw new IllegalArgumentException(
                    "gives a " + given.getClass().getName() + ", which has no text of its own (no toString())");
        }
        String text = given.toString();
        if (text.isBlank()) {
            throw new IllegalArgumentException("gives a blank text");
        }
        return text;
    }
}
