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
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.Aware;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartFactoryBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.Lifecycle;
import org.springframework.context.Phased;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Finds the effective annotation of a method: on the method, on one that it implements or overrides, or on the type.
 */
final class LockAnnotations {

    private static final List<Class<?>> CALLBACKS = List.of(
            Lifecycle.class,
            SmartLifecycle.class,
            Phased.class,
            Ordered.class,
            InitializingBean.class,
            DisposableBean.class,
            SmartInitializingSingleton.class,
            FactoryBean.class,
            SmartFactoryBean.class);

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
        MergedAnnotation<DistributedLock> onType = onType(type);
        return onType.isPresent() && isMeantByType(called, type) ? onType : null;
    }

    private static boolean isMeantByType(Method called, Class<?> type) {
        return !Modifier.isPrivate(called.getModifiers())
                && !ReflectionUtils.isObjectMethod(called)
                && !isContainerCallback(called, type)
                && !MergedAnnotations.from(called).isPresent(Bean.class);
    }

    /** Returns whether Spring calls the method to manage the bean. */
    private static boolean isContainerCallback(Method called, Class<?> type) {
        return isAwareMethod(
                        ClassUtils.getInterfaceMethodIfPossible(called, type).getDeclaringClass())
                || CALLBACKS.stream()
                        .anyMatch(callback -> callback.isAssignableFrom(type)
                                && ClassUtils.hasMethod(callback, called.getName(), called.getParameterTypes()));
    }

    /** An interface of the application that extends one of Spring may declare work. */
    private static boolean isAwareMethod(Class<?> declaring) {
        return declaring.isInterface()
                && Aware.class.isAssignableFrom(declaring)
                && declaring.getName().startsWith("org.springframework.");
    }

    /** Returns the manager of the annotation on a type, which also applies to annotated methods; empty if not set. */
    static String managerOf(Class<?> type) {
        return onType(type)
                .getValue("manager", String.class)
                .filter(manager -> !manager.isBlank())
                .orElse("");
    }

    /** Returns the annotation of a type; missing if it has none. */
    static MergedAnnotation<DistributedLock> onType(Class<?> type) {
        return of(MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY));
    }

    /**
     * Returns the annotations of which only one is in effect: this one, those beside it, and different ones that the
     * method or type inherits from elsewhere.
     *
     * @param place the method or type that has or inherits it
     */
    static List<MergedAnnotation<DistributedLock>> rivals(
            MergedAnnotation<DistributedLock> annotation, AnnotatedElement place) {
        return MergedAnnotations.from(place, SearchStrategy.TYPE_HIERARCHY).stream(DistributedLock.class)
                .filter(other -> other.getAggregateIndex() == annotation.getAggregateIndex()
                        || (!isOverridden(other, annotation)
                                && !other.synthesize().equals(annotation.synthesize())))
                .toList();
    }

    /** Returns how many managers the annotations of a type name, of which only one is in effect. */
    static long managersIn(MergedAnnotation<DistributedLock> annotation, Class<?> type) {
        return rivals(annotation, type).stream()
                .map(each -> each.getString("manager"))
                .distinct()
                .count();
    }

    /** Of two related types, one overrides the other, even if a class repeats an interface of its superclass. */
    private static boolean isOverridden(
            MergedAnnotation<DistributedLock> other, MergedAnnotation<DistributedLock> annotation) {
        return typeOf(other).isAssignableFrom(typeOf(annotation))
                || typeOf(annotation).isAssignableFrom(typeOf(other));
    }

    /** Returns the type that has the annotation, or whose method has it. */
    static Class<?> typeOf(MergedAnnotation<DistributedLock> annotation) {
        return annotation.getSource() instanceof Method method
                ? method.getDeclaringClass()
                : (Class<?>) Objects.requireNonNull(annotation.getSource());
    }

    private static MergedAnnotation<DistributedLock> of(MergedAnnotations annotations) {
        return annotations.get(DistributedLock.class);
    }
}
