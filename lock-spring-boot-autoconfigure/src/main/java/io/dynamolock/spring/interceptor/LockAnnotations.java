/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.AnnotatedClasses;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.KotlinFunctions;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
        Method called = KotlinFunctions.called(method, type);
        if (called.getDeclaringClass() == Object.class
                || Modifier.isStatic(called.getModifiers())
                || KotlinFunctions.isOverload(called)) {
            return null;
        }
        MergedAnnotation<DistributedLock> onMethod = effective(called, type);
        if (onMethod.isPresent()) {
            return onMethod;
        }
        MergedAnnotation<DistributedLock> onType = onType(type);
        return onType.isPresent() && isMeantByType(onType, called, type) ? onType : null;
    }

    private static boolean isMeantByType(MergedAnnotation<DistributedLock> onType, Method called, Class<?> type) {
        return WorkMethods.contain(called, type)
                && (WorkMethods.isStartedBySpring(called) || !isFallback(called, type, onType));
    }

    /**
     * Returns whether a method is the fallback of a locked one, so that it runs unlocked: the overload that is called by
     * the name that the type's annotation gives; for a locked method with that name itself, one with one more parameter.
     */
    private static boolean isFallback(Method called, Class<?> type, MergedAnnotation<DistributedLock> onType) {
        String name = onType.getString("fallback");
        return FallbackMethods.isNamed(called, name)
                && Stream.of(ReflectionUtils.getUniqueDeclaredMethods(type))
                        .filter(method -> !FallbackMethods.isNamed(method, name)
                                || method.getParameterCount() == called.getParameterCount() - 1)
                        .map(method -> locked(method, type, onType))
                        .anyMatch(locked -> locked != null
                                && locked.text("fallback").equals(name)
                                && called.equals(fallback(locked, name)));
    }

    /** Returns the fallback of a locked method; null if it stops the start, as none fits, or several do. */
    private static @Nullable Method fallback(AnnotatedMethod locked, String name) {
        try {
            return locked.read(() -> FallbackMethods.choose(locked, locked.type(), name));
        } catch (InvalidDistributedLockException none) {
            return null;
        }
    }

    private static @Nullable AnnotatedMethod locked(
            Method method, Class<?> type, MergedAnnotation<DistributedLock> onType) {
        MergedAnnotation<DistributedLock> own = effective(method, type);
        if (own.isPresent()) {
            return new AnnotatedMethod(method, type, own);
        }
        return !Modifier.isStatic(method.getModifiers()) && isMeantByType(onType, method, type)
                ? new AnnotatedMethod(method, type, onType)
                : null;
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
        return effective(type, type);
    }

    /**
     * Returns the annotations of which only one is in effect: those beside this one, and different ones that the method
     * or type inherits from elsewhere.
     *
     * @param place the method or type that has or inherits it
     * @param type the class of the bean
     */
    static List<MergedAnnotation<DistributedLock>> rivals(
            MergedAnnotation<DistributedLock> annotation, AnnotatedElement place, Class<?> type) {
        return carriers(place, type).stream()
                .flatMap(carrier -> MergedAnnotations.from(carrier).stream(DistributedLock.class))
                .filter(other -> Objects.equals(other.getSource(), annotation.getSource())
                        || !other.synthesize().equals(annotation.synthesize()))
                .toList();
    }

    /** Returns how many managers the annotations of a type name, of which only one is in effect. */
    static long managersIn(MergedAnnotation<DistributedLock> annotation, Class<?> type) {
        return rivals(annotation, type, type).stream()
                .map(each -> each.getString("manager"))
                .distinct()
                .count();
    }

    private static MergedAnnotation<DistributedLock> effective(AnnotatedElement place, Class<?> type) {
        return carriers(place, type).stream()
                .findFirst()
                .map(carrier -> MergedAnnotations.from(carrier).get(DistributedLock.class))
                .orElseGet(MergedAnnotation::missing);
    }

    /**
     * Returns the elements that have an annotation for a method or type, nearest first. Of two related types, the more
     * specific one overrides the other, in whatever order a class implements them.
     */
    private static List<AnnotatedElement> carriers(AnnotatedElement place, Class<?> type) {
        List<AnnotatedElement> all = places(place, type)
                .map(each -> MergedAnnotations.from(each, SearchStrategy.TYPE_HIERARCHY))
                .filter(annotations -> annotations.isPresent(DistributedLock.class))
                .flatMap(annotations -> annotations.stream(DistributedLock.class))
                .map(annotation -> (AnnotatedElement) Objects.requireNonNull(annotation.getSource()))
                .distinct()
                .toList();
        return all.stream()
                .filter(one -> all.stream().noneMatch(other -> isOverridden(typeOf(one), typeOf(other))))
                .toList();
    }

    private static boolean isOverridden(Class<?> type, Class<?> by) {
        return type != by && type.isAssignableFrom(by);
    }

    private static Stream<AnnotatedElement> places(AnnotatedElement place, Class<?> type) {
        return place instanceof Method called
                ? Stream.concat(Stream.of(called), AnnotatedClasses.implementedBy(called, type, DistributedLock.class))
                : Stream.of(place);
    }

    /** Returns the type that has the annotation, or whose method has it. */
    static Class<?> typeOf(MergedAnnotation<DistributedLock> annotation) {
        return typeOf((AnnotatedElement) Objects.requireNonNull(annotation.getSource()));
    }

    private static Class<?> typeOf(AnnotatedElement carrier) {
        return carrier instanceof Method method ? method.getDeclaringClass() : (Class<?>) carrier;
    }
}
