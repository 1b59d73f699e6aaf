/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.DistributedLock;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the effective annotation of a method: on the method, on one that it implements or overrides, or on the type.
 */
final class LockAnnotations {

    private LockAnnotations() {}

    static @Nullable MergedAnnotation<DistributedLock> find(Method method, Class<?> type) {
        Method called = AopUtils.getMostSpecificMethod(method, type);
        if (called.getDeclaringClass() == Object.class || Modifier.isStatic(called.getModifiers())) {
            return null;
        }
        MergedAnnotation<DistributedLock> onMethod = of(MergedAnnotations.from(called, SearchStrategy.TYPE_HIERARCHY));
        if (onMethod.isPresent()) {
            return onMethod;
        }
        MergedAnnotation<DistributedLock> onType = of(MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY));
        return onType.isPresent() && isMeantByType(called) ? onType : null;
    }

    private static boolean isMeantByType(Method called) {
        return !Modifier.isPrivate(called.getModifiers())
                && !ReflectionUtils.isObjectMethod(called)
                && !MergedAnnotations.from(called).isPresent(Bean.class);
    }

    /** Returns the manager of the annotation on a type, which also applies to annotated methods; empty if not set. */
    static String managerOf(Class<?> type) {
        return of(MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY))
                .getValue("manager", String.class)
                .filter(manager -> !manager.isBlank())
                .orElse("");
    }

    /** Returns all annotations of the method or type that has this one. It is the only one that is in effect. */
    static List<MergedAnnotation<DistributedLock>> beside(MergedAnnotation<DistributedLock> annotation) {
        return annotation.getSource() instanceof AnnotatedElement element
                ? MergedAnnotations.from(element).stream(DistributedLock.class).toList()
                : List.of(annotation);
    }

    private static MergedAnnotation<DistributedLock> of(MergedAnnotations annotations) {
        return annotations.get(DistributedLock.class);
    }
}
