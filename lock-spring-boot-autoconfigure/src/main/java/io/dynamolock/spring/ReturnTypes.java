/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;

/** What a return type means for a lock: whether the work is over when the method returns, and what a skipped call returns. */
final class ReturnTypes {

    /** Types of libraries that may be absent, whose values stand for work that is not over. */
    private static final Set<String> LATER = Set.of(
            "org.reactivestreams.Publisher",
            "kotlinx.coroutines.flow.Flow",
            "kotlinx.coroutines.Deferred",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter");

    private static final Map<Class<?>, Object> EMPTY = Map.of(
            Optional.class, Optional.empty(),
            OptionalInt.class, OptionalInt.empty(),
            OptionalLong.class, OptionalLong.empty(),
            OptionalDouble.class, OptionalDouble.empty());

    private ReturnTypes() {}

    static boolean isAsynchronous(Method method) {
        Class<?> type = method.getReturnType();
        return Future.class.isAssignableFrom(type)
                || CompletionStage.class.isAssignableFrom(type)
                || Flow.Publisher.class.isAssignableFrom(type)
                || Callable.class.isAssignableFrom(type)
                || isLater(type)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null
                || KotlinDetector.isSuspendingFunction(method);
    }

    private static boolean isLater(@Nullable Class<?> type) {
        if (type == null || type == Object.class) {
            return false;
        }
        if (LATER.contains(type.getName()) || isLater(type.getSuperclass())) {
            return true;
        }
        for (Class<?> part : type.getInterfaces()) {
            if (isLater(part)) {
                return true;
            }
        }
        return false;
    }

    static boolean canSkip(Method method) {
        return !method.getReturnType().isPrimitive() || method.getReturnType() == void.class;
    }

    static @Nullable Object skipped(Method method) {
        return EMPTY.get(method.getReturnType());
    }
}
