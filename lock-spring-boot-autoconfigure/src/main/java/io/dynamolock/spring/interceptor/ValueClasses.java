/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.KotlinFunctions;
import java.lang.reflect.Method;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/** Value classes of Kotlin, which are compiled to their content, unless a value is nullable or of a type variable. */
final class ValueClasses {

    private static final ClassValue<Optional<Method>> CONTENT = new ClassValue<>() {
        @Override
        protected Optional<Method> computeValue(Class<?> type) {
            Method unbox = KotlinFunctions.content(type);
            if (unbox != null) {
                ReflectionUtils.makeAccessible(unbox);
            }
            return Optional.ofNullable(unbox);
        }
    };

    private ValueClasses() {}

    /** Returns the content of a value of such a class; other values stay. */
    static @Nullable Object contentOf(@Nullable Object value) {
        Method unbox = value == null ? null : CONTENT.get(value.getClass()).orElse(null);
        return unbox == null ? value : contentOf(ReflectionUtils.invokeMethod(unbox, value));
    }
}
