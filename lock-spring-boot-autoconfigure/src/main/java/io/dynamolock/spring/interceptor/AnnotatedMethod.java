/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.OnLost;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.OnBusy;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodParameter;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.ClassUtils;

/**
 * A method with its effective annotation. Reads single attributes, or throws {@link InvalidDistributedLockException}.
 *
 * @param method the method that runs
 * @param type the class of the bean
 * @param annotation the annotation of the method, of a method that it implements or overrides, or of the type
 */
record AnnotatedMethod(Method method, Class<?> type, MergedAnnotation<DistributedLock> annotation) {

    private static final String SCHEDULED = "org.springframework.scheduling.annotation.Scheduled";
    private static final String ASYNC = "org.springframework.scheduling.annotation.Async";
    private static final String SCHEDULES = "org.springframework.scheduling.annotation.Schedules";

    /**
     * Finds the annotation of a method.
     *
     * @return null if the method has none
     */
    static @Nullable AnnotatedMethod find(Method method, Class<?> type) {
        MergedAnnotation<DistributedLock> annotation = LockAnnotations.find(method, type);
        return annotation == null
                ? null
                : new AnnotatedMethod(AopUtils.getMostSpecificMethod(method, type), type, annotation);
    }

    String text(String attribute) {
        return annotation.getString(attribute);
    }

    @Nullable
    Duration duration(String attribute, UnaryOperator<String> placeholders) {
        String written = text(attribute);
        if (written.isEmpty()) {
            return null;
        }
        String resolved;
        Duration duration;
        try {
            resolved = placeholders.apply(written).strip();
            duration = DurationFormatterUtils.detectAndParse(resolved);
        } catch (IllegalArgumentException unreadable) {
            throw refused(
                    "%s = \"%s\" is not a duration".formatted(attribute, written),
                    "Use a format such as \"30s\", \"PT30S\" or \"${some.property}\"",
                    unreadable);
        }
        if (Character.isDigit(resolved.charAt(resolved.length() - 1))) {
            throw refused(
                    "%s = \"%s\" has no unit".formatted(attribute, written),
                    "Give a unit: \"%ss\"".formatted(resolved),
                    null);
        }
        return duration;
    }

    /** Returns the action for a busy lock. The argument applies to methods that do not set one and are not scheduled. */
    OnBusy onBusy(OnBusy elsewhere) {
        OnBusy said = annotation.getEnum("onBusy", OnBusy.class);
        if (said != OnBusy.DEFAULT) {
            return said;
        }
        return isScheduled() || elsewhere == OnBusy.SKIP ? OnBusy.SKIP : OnBusy.THROW;
    }

    OnLost onLost() {
        return annotation.getEnum("onLost", OnLost.class);
    }

    /** Returns the bean name of the lock manager: the method's, else the type's; empty if neither sets one. */
    String manager() {
        String said = text("manager");
        return said.isEmpty() ? LockAnnotations.managerOf(type) : said;
    }

    private boolean isScheduled() {
        MergedAnnotations all = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        return all.isPresent(SCHEDULED) || all.isPresent(SCHEDULES);
    }

    /** Returns whether the method is annotated as {@code @Async}, whether or not that is enabled. */
    boolean isAsync() {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC)
                || MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC);
    }

    /** Returns the return type, with type variables resolved, and the actual one of a suspending Kotlin function. */
    Class<?> returnType() {
        return new MethodParameter(method, -1).withContainingClass(type).getParameterType();
    }

    LockExpressionVariables variables() {
        return new LockExpressionVariables(annotation.getSource() instanceof Method source ? source : null, method);
    }

    String where() {
        return ClassUtils.getQualifiedMethodName(method, type);
    }

    InvalidDistributedLockException refused(String problem, String remedy, @Nullable Throwable cause) {
        return new InvalidDistributedLockException(where(), problem, remedy, cause);
    }
}
