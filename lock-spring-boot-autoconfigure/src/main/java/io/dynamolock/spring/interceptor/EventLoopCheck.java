/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.LockEvent;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.EventListener;
import org.springframework.context.event.SmartApplicationListener;
import org.springframework.core.MethodParameter;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** Refuses locked listeners of the events that their own locks publish, as each call would cause the next one. */
final class EventLoopCheck {

    /** Those that a locked call publishes in any case. */
    private static final List<Class<? extends LockEvent>> OF_CALLS = List.of(
            LockEvent.Acquired.class, LockEvent.Released.class, LockEvent.Skipped.class, LockEvent.Rejected.class);

    private EventLoopCheck() {}

    static void check(Method locked, Class<?> type) {
        EventListener listener = AnnotatedElementUtils.findMergedAnnotation(locked, EventListener.class);
        Stream<ResolvableType> events = Stream.empty();
        if (listener != null && listener.condition().isBlank()) {
            events = listener.classes().length == 0
                    ? parameter(locked, type)
                    : Stream.of(listener.classes()).map(ResolvableType::forClass);
        } else if (listener == null && isListener(locked, type)) {
            events = parameter(locked, type);
        }
        events.filter(EventLoopCheck::areOfCalls).findFirst().ifPresent(event -> {
            throw new InvalidDistributedLockException(
                    type.getName() + "." + locked.getName(),
                    "it listens to %s, which its own lock publishes, too, so that each call would cause another"
                            .formatted(event),
                    "Let it listen to events of the application, or to LockEvent.Lost or RenewalFailed, or give"
                            + " @EventListener a condition that excludes its own lock",
                    null);
        });
    }

    /** Except those that choose their events themselves. */
    private static boolean isListener(Method locked, Class<?> type) {
        return ApplicationListener.class.isAssignableFrom(type)
                && !SmartApplicationListener.class.isAssignableFrom(type)
                && locked.getName().equals("onApplicationEvent");
    }

    private static Stream<ResolvableType> parameter(Method locked, Class<?> type) {
        return locked.getParameterCount() == 0
                ? Stream.empty()
                : Stream.of(
                        ResolvableType.forMethodParameter(new MethodParameter(locked, 0).withContainingClass(type)));
    }

    private static boolean areOfCalls(ResolvableType event) {
        return OF_CALLS.stream()
                .anyMatch(own -> event.isAssignableFrom(own)
                        || event.isAssignableFrom(
                                ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, own)));
    }
}
