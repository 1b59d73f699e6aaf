/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.AnnotatedClasses;
import io.dynamolock.spring.DistributedLock;
import java.lang.reflect.Method;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** Matches the methods for which {@link LockAnnotations} finds an annotation. */
final class LockPointcut extends StaticMethodMatcherPointcut {

    LockPointcut() {
        setClassFilter(new AnnotatedClasses(DistributedLock.class));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return LockAnnotations.find(method, targetClass) != null;
    }
}
