/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.LockEvent;
import io.dynamolock.spring.OnBusy;
import java.lang.reflect.Method;
import java.lang.reflect.TypeVariable;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;

/** Refuses locked listeners of the events that their own locks publish, as each call would cause the next one. */
final class EventLoopCheck {

    private static final String AFTER_TRANSACTIONS = "org.springframework.transaction.event.TransactionalEventListener";

    private EventLoopCheck() {}

    /**
     * Checks a locked method.
     *
     * @param onBusy what it does if its lock is busy, which decides what it publishes then
     */
    static void check(AnnotatedMethod locked, OnBusy onBusy) {
        List<Class<? extends LockEvent>> published = List.of(
                LockEvent.Acquired.class,
                LockEvent.Released.class,
                onBusy == OnBusy.THROW ? LockEvent.Rejected.class : LockEvent.Skipped.class);
        eventTypes(locked)
                .filter(event -> published.stream().anyMatch(own -> isAssignable(event, own)))
                .findFirst()
                .ifPresent(event -> {
                    throw locked.rejected(
                            "it listens to %s, which its own lock publishes, too, so that each call would cause another"
                                    .formatted(event),
                            "Let it listen to events of the application or to other lock events, such as LockEvent.Lost,"
                                    + " or let an @EventListener have a condition that excludes its own lock",
                            null);
                });
    }

    /** Returns the types of events that the method is called for; none if a condition or a transaction decides, too. */
    private static Stream<ResolvableType> eventTypes(AnnotatedMethod locked) {
        EventListener listener = AnnotatedElementUtils.findMergedAnnotation(locked.method(), EventListener.class);
        if (listener == null) {
            return isListener(locked) ? parameter(locked) : Stream.empty();
        }
        if (!listener.condition().isBlank() || awaitsTransaction(locked.method())) {
            return Stream.empty();
        }
        return listener.classes().length == 0
                ? parameter(locked)
                : Stream.of(listener.classes()).map(ResolvableType::forClass);
    }

    /** Except those that choose their events themselves. */
    private static boolean isListener(AnnotatedMethod locked) {
        return ApplicationListener.class.isAssignableFrom(locked.type())
                && !SmartApplicationListener.class.isAssignableFrom(locked.type())
                && locked.method().getName().equals("onApplicationEvent");
    }

    /** Outside of transactions, it is not called; what its own lock publishes is outside of that which it has awaited. */
    private static boolean awaitsTransaction(Method method) {
        MergedAnnotation<?> listener = MergedAnnotations.from(method).get(AFTER_TRANSACTIONS);
        return listener.isPresent() && !listener.getBoolean("fallbackExecution");
    }

    /** A type variable says nothing: Spring may know more of the bean's definition. */
    private static Stream<ResolvableType> parameter(AnnotatedMethod locked) {
        return locked.method().getParameterCount() == 0
                ? Stream.empty()
                : Stream.of(ResolvableType.forMethodParameter(
                                new MethodParameter(locked.method(), 0).withContainingClass(locked.type())))
                        .filter(event -> !(event.getType() instanceof TypeVariable));
    }

    private static boolean isAssignable(ResolvableType event, Class<? extends LockEvent> own) {
        return event.isAssignableFrom(own)
                || event.isAssignableFrom(ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, own));
    }
}
