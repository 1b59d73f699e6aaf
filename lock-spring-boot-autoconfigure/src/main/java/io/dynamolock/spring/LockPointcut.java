/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.lang.reflect.Method;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.annotation.AnnotationUtils;

/** Matches the methods for which {@link LockAnnotations} finds an annotation. */
final class LockPointcut extends StaticMethodMatcherPointcut {

    LockPointcut() {
        setClassFilter(type -> AnnotationUtils.isCandidateClass(type, DistributedLock.class));
    }

    @Override
    public boolean matches(Method method, Class<?> targetClass) {
        return LockAnnotations.find(method, targetClass) != null;
    }
}
