/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.Enumeration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.Spliterator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.Nullness;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;

/** Classifies return types: whether the work has ended when the method returns, and what a skipped call returns. */
final class ReturnTypes {

    /** Asynchronous types of libraries that may be absent. */
    private static final Set<String> LATER = Set.of(
            "org.reactivestreams.Publisher",
            "kotlinx.coroutines.flow.Flow",
            "kotlinx.coroutines.Job",
            "io.smallrye.mutiny.Uni",
            "io.smallrye.mutiny.Multi",
            "io.vertx.core.Future",
            "io.reactivex.Completable",
            "io.reactivex.Maybe",
            "io.reactivex.Observable",
            "io.reactivex.Single",
            "io.reactivex.rxjava3.core.Completable",
            "io.reactivex.rxjava3.core.Maybe",
            "io.reactivex.rxjava3.core.Observable",
            "io.reactivex.rxjava3.core.Single",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter");

    /** Types that compute their content while their user consumes it. */
    private static final List<Class<?>> LAZY = List.of(
            BaseStream.class,
            Iterator.class,
            Enumeration.class,
            Spliterator.class,
            Supplier.class,
            BooleanSupplier.class,
            DoubleSupplier.class,
            IntSupplier.class,
            LongSupplier.class);

    private static final Set<String> LAZY_IN_KOTLIN = Set.of(
            "kotlin.sequences.Sequence",
            "kotlin.Lazy",
            "kotlin.jvm.functions.Function0",
            "kotlinx.coroutines.channels.ReceiveChannel");

    private static final Set<String> SUSPENDING = Set.of("kotlin.coroutines.jvm.internal.SuspendFunction");

    /** Without other parameters, suspending functions have a continuation. */
    private static final Set<String> WITH_CONTINUATION = Set.of("kotlin.jvm.functions.Function1");

    private static final ClassValue<Boolean> INCOMPLETE = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            return isFuture(type) || isLater(type) || isLazy(type);
        }
    };

    private static final Map<Class<?>, Object> EMPTY = Map.of(
            Optional.class, Optional.empty(),
            OptionalInt.class, OptionalInt.empty(),
            OptionalLong.class, OptionalLong.empty(),
            OptionalDouble.class, OptionalDouble.empty());

    private ReturnTypes() {}

    /** Returns whether a type other than a future stands for work that continues after the method has returned. */
    static boolean isLater(Class<?> type) {
        return Flow.Publisher.class.isAssignableFrom(type)
                || Callable.class.isAssignableFrom(type)
                || type == Runnable.class // but not an object of the application that can also be run
                || isOneOf(LATER, type)
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    static boolean isFuture(Class<?> type) {
        return Future.class.isAssignableFrom(type) || CompletionStage.class.isAssignableFrom(type);
    }

    /**
     * Returns whether a type computes its content while its user consumes it. An {@link Iterable} is not assumed to,
     * even if it is more than that, such as a page of Spring Data.
     */
    static boolean isLazy(Class<?> type) {
        return !Iterable.class.isAssignableFrom(type)
                && (LAZY.stream().anyMatch(lazy -> lazy.isAssignableFrom(type))
                        || isOneOf(LAZY_IN_KOTLIN, type)
                        || (isOneOf(SUSPENDING, type) && mayBeSuspending(type)));
    }

    /** Returns whether a type is that of Kotlin's suspending functions without parameters, among others. */
    static boolean mayBeSuspending(Class<?> type) {
        return isOneOf(WITH_CONTINUATION, type);
    }

    /** Returns whether the content of a result may be computed after the method has returned. */
    static boolean isIncomplete(Class<?> type) {
        return INCOMPLETE.get(type);
    }

    private static boolean isOneOf(Set<String> names, @Nullable Class<?> type) {
        if (type == null || type == Object.class) {
            return false;
        }
        if (names.contains(type.getName()) || isOneOf(names, type.getSuperclass())) {
            return true;
        }
        for (Class<?> part : type.getInterfaces()) {
            if (isOneOf(names, part)) {
                return true;
            }
        }
        return false;
    }

    /** Returns whether a skipped call has a valid empty result. */
    static boolean canSkip(AnnotatedMethod annotated) {
        Class<?> type = annotated.returnType();
        if (type == void.class || EMPTY.containsKey(type) || Future.class.isAssignableFrom(type)) {
            return true;
        }
        if (type.isPrimitive()) {
            return false;
        }
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
        return adapter == null ? !isNeverNullInKotlin(annotated) : adapter.supportsEmpty();
    }

    private static boolean isNeverNullInKotlin(AnnotatedMethod annotated) {
        return KotlinDetector.isKotlinType(annotated.method().getDeclaringClass())
                && Nullness.forMethodReturnType(annotated.method()) == Nullness.NON_NULL;
    }

    /** Returns the result of a skipped call; null also stands for a future of null and an empty publisher. */
    static @Nullable Object skipped(Class<?> type) {
        return EMPTY.get(type);
    }
}
