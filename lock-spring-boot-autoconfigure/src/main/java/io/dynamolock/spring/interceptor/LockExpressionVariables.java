/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.StandardReflectionParameterNameDiscoverer;

/** Variables that the expressions of one method can use, and their values in a call. */
final class LockExpressionVariables {

    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();
    private static final ParameterNameDiscoverer COMPILED_NAMES = new StandardReflectionParameterNameDiscoverer();
    private static final Set<String> ALWAYS = Set.of("root", "this", "target", "method", "args");

    private final Map<String, Integer> parameters = new HashMap<>();
    private final Set<String> names = new TreeSet<>();
    private final boolean isKotlin;
    private final int count; // of the parameters

    /**
     * Registers each parameter by its index and by its names in both methods.
     *
     * @param annotated the method that has the annotation, whose parameter names take precedence; null if it is on the
     *     type
     * @param called the method that runs
     */
    LockExpressionVariables(@Nullable Method annotated, Method called) {
        count = count(called);
        for (int i = 0; i < count; i++) {
            parameters.put("p" + i, i);
            parameters.put("a" + i, i);
        }
        isKotlin = KotlinDetector.isKotlinType(called.getDeclaringClass());
        addNames(called);
        if (annotated != null && annotated.getParameterCount() == called.getParameterCount()) {
            addNames(annotated);
        }
    }

    private void addNames(Method method) {
        @Nullable String @Nullable [] names = namesOf(method);
        for (int i = 0; names != null && i < Math.min(names.length, count); i++) {
            String name = names[i];
            if (name != null) {
                parameters.put(name, i);
                this.names.add(name);
            }
        }
    }

    /** Returns how many parameters a method has in its source: the compiler adds a continuation to those that suspend. */
    private static int count(Method method) {
        return method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
    }

    /** Returns the arguments of the parameters, without a continuation, which is another one in each call. */
    @Nullable
    Object[] arguments(@Nullable Object[] passed) {
        return passed.length > count ? Arrays.copyOf(passed, count) : passed;
    }

    /** Kotlin's reflection leaves out context parameters, which are the first ones of the method, and continuations. */
    private static @Nullable String @Nullable [] namesOf(Method method) {
        @Nullable String @Nullable [] names = NAMES.getParameterNames(method);
        return names == null || names.length >= count(method) ? names : COMPILED_NAMES.getParameterNames(method);
    }

    /** Returns whether a parameter has this name. */
    boolean isParameter(String name) {
        return names.contains(name) && !ALWAYS.contains(name);
    }

    /** Returns whether there are no parameters. */
    boolean areNone() {
        return parameters.isEmpty();
    }

    /** Returns whether there are parameters, but no names of them. */
    boolean areUnnamed() {
        return names.isEmpty() && !parameters.isEmpty();
    }

    /** Returns whether the method is a function of Kotlin. */
    boolean areOfKotlin() {
        return isKotlin;
    }

    /** Returns the names of the parameters, for display. */
    String names() {
        return names.stream().map(name -> "#" + name).collect(Collectors.joining(", "));
    }

    /** Returns a regular expression for the name of any variable. */
    String alternatives() {
        return Stream.concat(ALWAYS.stream(), parameters.keySet().stream())
                .map(Pattern::quote)
                .collect(Collectors.joining("|"));
    }

    boolean knows(String name) {
        return ALWAYS.contains(name) || parameters.containsKey(name);
    }

    @Nullable
    Object valueOf(String name, LockExpressionRoot call) {
        Integer index = parameters.get(name);
        if (index != null) {
            return call.getArgs()[index];
        }
        return switch (name) {
            case "target" -> call.getTarget();
            case "method" -> call.getMethod();
            case "args" -> call.getArgs();
            default -> null;
        };
    }
}
