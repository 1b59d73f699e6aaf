/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.springframework.aop.ClassFilter;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Matches classes that have an annotation anywhere: on the class, a superclass or an interface, or on one of their
 * methods. Classes of known frameworks are skipped. Thread-safe.
 *
 * @since 0.1
 */
public final class AnnotatedClasses implements ClassFilter {

    /** Packages whose classes cannot have an annotation of this library. Most beans of an application are of these. */
    private static final String[] FRAMEWORKS = {
        "org.springframework.aop.",
        "org.springframework.beans.",
        "org.springframework.boot.",
        "org.springframework.context.",
        "org.springframework.core.",
        "org.springframework.data.",
        "org.springframework.http.",
        "org.springframework.jdbc.",
        "org.springframework.orm.",
        "org.springframework.scheduling.",
        "org.springframework.security.",
        "org.springframework.transaction.",
        "org.springframework.web.",
        "software.amazon.awssdk."
    };

    private final Class<? extends Annotation> annotation;
    private final Map<Class<?>, Boolean> known = new ConcurrentHashMap<>();

    /**
     * Creates the filter for an annotation, which may be a meta-annotation.
     *
     * @param annotation the type of the annotation
     */
    public AnnotatedClasses(Class<? extends Annotation> annotation) {
        this.annotation = annotation;
    }

    @Override
    public boolean matches(Class<?> type) {
        Boolean matches = known.get(type);
        if (matches == null) {
            matches = isAnywhereIn(type);
            known.put(type, matches);
        }
        return matches;
    }

    /**
     * Returns what a method implements or overrides where Spring finds no annotation: methods of interfaces that a type
     * implements by a method that it inherits, and whose own class does not know them; and the bridges to a method that
     * overrides a Kotlin function of another name.
     *
     * @param called the method of the type
     * @param type the class of a bean
     * @param annotation the type of the annotation; interfaces that cannot have it are left out
     * @return the methods, with or without the annotation
     */
    public static Stream<Method> implementedBy(Method called, Class<?> type, Class<? extends Annotation> annotation) {
        return Stream.concat(KotlinFunctions.bridgesTo(called), implementedByInherited(called, type, annotation));
    }

    private static Stream<Method> implementedByInherited(
            Method called, Class<?> type, Class<? extends Annotation> annotation) {
        Class<?> declaring = called.getDeclaringClass();
        return declaring == type || declaring.isInterface()
                ? Stream.empty()
                : ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                        .filter(each ->
                                !each.isAssignableFrom(declaring) && AnnotationUtils.isCandidateClass(each, annotation))
                        .flatMap(each -> Stream.of(each.getMethods()))
                        .filter(each -> each.getParameterCount() == called.getParameterCount()
                                && KotlinFunctions.called(each, type).equals(called));
    }

    private boolean isAnywhereIn(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, annotation) || isOfFramework(type.getName())) {
            return false;
        }
        if (isOn(type) || isOnAMethodOf(type) || (type.getSuperclass() != null && matches(type.getSuperclass()))) {
            return true;
        }
        for (Class<?> implemented : type.getInterfaces()) {
            if (matches(implemented)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOfFramework(String name) {
        for (String framework : FRAMEWORKS) {
            if (name.startsWith(framework)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOnAMethodOf(Class<?> type) {
        try {
            for (AnnotatedElement method : ReflectionUtils.getDeclaredMethods(type)) {
                if (isOn(method)) {
                    return true;
                }
            }
            return false;
        } catch (IllegalStateException unreadable) {
            return false; // a method refers to a missing class: Spring finds no annotation there, either
        }
    }

    private boolean isOn(AnnotatedElement element) {
        return MergedAnnotations.from(element).isPresent(annotation);
    }
}
