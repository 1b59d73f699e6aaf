/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** Matches the methods for which {@link LockAnnotations} finds an annotation. */
final class LockPointcut extends StaticMethodMatcherPointcut {

    private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>();

    LockPointcut() {
        setClassFilter(type -> known.computeIfAbsent(type, LockAnnotations::isAnywhereIn));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return LockAnnotations.find(method, targetClass) != null;
    }
}
