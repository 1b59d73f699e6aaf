/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.AnnotatedClasses;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.ProxiedBeans;
import java.lang.reflect.Method;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** Matches the methods for which {@link LockAnnotations} finds an annotation. */
final class LockPointcut extends StaticMethodMatcherPointcut {

    private final ProxiedBeans proxied = new ProxiedBeans();

    LockPointcut() {
        setClassFilter(new AnnotatedClasses(DistributedLock.class));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        boolean matches = LockAnnotations.find(method, targetClass) != null;
        if (matches) {
            proxied.add(targetClass);
        }
        return matches;
    }

    /** Returns the beans that got a proxy because they match. */
    ProxiedBeans proxied() {
        return proxied;
    }
}
