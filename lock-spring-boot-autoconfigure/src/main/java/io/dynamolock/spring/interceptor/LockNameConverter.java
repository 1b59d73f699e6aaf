/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

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
        if (!HAS_TEXT.get(given.getClass())) {
            throw new IllegalArgumentException(
                    "evaluates to a " + given.getClass().getName() + ", which does not override toString()");
        }
        String text = given.toString();
        if (text.isBlank()) {
            throw new IllegalArgumentException("evaluates to blank text");
        }
        return text;
    }
}
