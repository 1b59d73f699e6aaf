/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.KotlinFunctions;
import java.lang.reflect.Method;
import java.util.Optional;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
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

    /** Returns the arguments of a call as a method takes them: a bridge to it is called with values, not their content. */
    static @Nullable Object[] arguments(MethodInvocation call, Method method) {
        @Nullable Object[] arguments = call.getArguments();
        if (call.getMethod().equals(method)) {
            return arguments;
        }
        Class<?>[] types = method.getParameterTypes();
        for (int i = 0; i < arguments.length; i++) {
            Object argument = arguments[i];
            if (argument != null && i < types.length && isBoxed(argument, types[i], method, i)) {
                arguments = arguments.clone();
                arguments[i] = contentOf(argument);
            }
        }
        return arguments;
    }

    private static boolean isBoxed(Object argument, Class<?> type, Method method, int index) {
        return CONTENT.get(argument.getClass()).isPresent()
                && (!ClassUtils.isAssignableValue(type, argument)
                        || KotlinFunctions.valueClass(method, index) == argument.getClass());
    }

    /** Returns the content of a value of such a class; other values stay. */
    static @Nullable Object contentOf(@Nullable Object value) {
        Method unbox = value == null ? null : CONTENT.get(value.getClass()).orElse(null);
        return unbox == null ? value : contentOf(ReflectionUtils.invokeMethod(unbox, value));
    }
}
