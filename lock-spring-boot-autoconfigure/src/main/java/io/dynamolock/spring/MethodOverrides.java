/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.stream.Stream;

/** Decides whether a class can override a method, as the JVM does: by its package, not only by its name. */
final class MethodOverrides {

    private static final int VISIBLE = Modifier.PUBLIC | Modifier.PROTECTED;

    private MethodOverrides() {}

    /** Returns whether the method of a superclass or interface can be overridden in a class. */
    static boolean isOverridable(Method method, Class<?> type) {
        int modifiers = method.getModifiers();
        return !Modifier.isPrivate(modifiers)
                && ((modifiers & VISIBLE) != 0
                        || isIn(packageOf(method), type)
                        || Stream.<Class<?>>iterate(
                                        type, each -> each != method.getDeclaringClass(), Class::getSuperclass)
                                .filter(each -> isIn(packageOf(method), each))
                                .anyMatch(each -> makesVisible(each, method)));
    }

    private static String packageOf(Method method) {
        return method.getDeclaringClass().getPackageName();
    }

    private static boolean isIn(String name, Class<?> type) {
        return type.getPackageName().equals(name);
    }

    private static boolean makesVisible(Class<?> type, Method method) {
        return Stream.of(type.getDeclaredMethods())
                .anyMatch(each -> each.getName().equals(method.getName())
                        && Arrays.equals(each.getParameterTypes(), method.getParameterTypes())
                        && (each.getModifiers() & VISIBLE) != 0);
    }
}
