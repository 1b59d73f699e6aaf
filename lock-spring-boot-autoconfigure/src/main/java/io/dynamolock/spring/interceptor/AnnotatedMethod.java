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
 * A method and the annotation that counts for it; reads one attribute at a time, or says why it cannot be.
 *
 * @param method what runs
 * @param type the class of the bean
 * @param annotation found on the method, on what it implements, or on the type
 */
record AnnotatedMethod(Method method, Class<?> type, MergedAnnotation<DistributedLock> annotation) {

    private static final String SCHEDULED = "org.springframework.scheduling.annotation.Scheduled";
    private static final String ASYNC = "org.springframework.scheduling.annotation.Async";
    private static final String SCHEDULES = "org.springframework.scheduling.annotation.Schedules";

    /**
     * Looks for the annotation of a method.
     *
     * @return null if it has none
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
        try {
            return DurationFormatterUtils.detectAndParse(placeholders.apply(written));
        } catch (IllegalArgumentException unreadable) {
            throw refused(
                    "%s = \"%s\" is no duration".formatted(attribute, written),
                    "Write it like \"30s\", \"PT30S\" or \"${some.property}\"",
                    unreadable);
        }
    }

    /** Tells what to do if the lock is busy, given what holds for methods that do not say and are not scheduled. */
    OnBusy onBusy(OnBusy elsewhere) {
        OnBusy said = annotation.getEnum("onBusy", OnBusy.class);
        if (said != OnBusy.DEFAULT) {
            return said;
        }
        return isScheduled() || elsewhere == OnBusy.SKIP ? OnBusy.SKIP : OnBusy.THROW;
    }

    /** Tells what happens if the lock is lost meanwhile; null if the annotation does not say. */
    @Nullable
    OnLost onLost() {
        OnLost[] said = annotation.getEnumArray("onLost", OnLost.class);
        if (said.length > 1) {
            throw refused("onLost has %d values".formatted(said.length), "Give it one", null);
        }
        return said.length == 0 ? null : said[0];
    }

    /** The lock manager's bean name: the method's, else the type's; empty if neither says. */
    String manager() {
        String said = text("manager");
        return said.isEmpty() ? LockAnnotations.managerOf(type) : said;
    }

    private boolean isScheduled() {
        MergedAnnotations all = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY);
        return all.isPresent(SCHEDULED) || all.isPresent(SCHEDULES);
    }

    /** Tells whether the method is one that Spring runs on another thread, if that is enabled. */
    boolean isAsync() {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC)
                || MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY).isPresent(ASYNC);
    }

    /** Tells what it returns: also if that is a type variable, or the function is a suspending one of Kotlin. */
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
