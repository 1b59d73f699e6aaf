/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.InvalidDistributedLockException;
import java.lang.annotation.Annotation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.config.TaskManagementConfigUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

/** Selects, by the return type, how long the lock of a method is held. Rejects work that would outlive the lock. */
final class LockedMethodFactory {

    private static final Logger LOG = LoggerFactory.getLogger(LockedMethodFactory.class);
    private static final String ASYNC_IS_ENABLED = TaskManagementConfigUtils.ASYNC_ANNOTATION_PROCESSOR_BEAN_NAME;

    private static final String JOB = "kotlinx.coroutines.Job";
    private static final String AWAIT = "Await it in the function, and return the result itself";

    private final ConfigurableListableBeanFactory beans;
    private final FutureExecutor executor;
    private final Supplier<Set<Class<? extends Annotation>>> asynchronous = SingletonSupplier.of(this::asynchronous);

    LockedMethodFactory(ConfigurableListableBeanFactory beans, ApplicationContext application) {
        this.beans = beans;
        this.executor = new FutureExecutor(beans, application);
    }

    LockedMethod of(AnnotatedMethod annotated, LockSpecification specification) {
        Class<?> type = annotated.returnType();
        if (ReturnTypes.isLazy(type)) {
            throw annotated.rejected(
                    "a %s computes its content after the method has returned, without the lock"
                            .formatted(type.getName()),
                    "Return the result itself, such as a List" + annotated.orAnnotateMethods(),
                    null);
        }
        Class<?> body = annotated.bodyType();
        if (body != null && ReturnTypes.isIncomplete(body)) {
            throw deferredBody(annotated, body);
        }
        boolean isOpen = type == Object.class || body == Object.class || ReturnTypes.mayBeSuspending(type);
        if (KotlinDetector.isSuspendingFunction(annotated.method())) {
            return suspending(annotated, specification, type, isOpen);
        }
        if (annotated.hasAny(asynchronous.get())) {
            return new BlockingMethod(specification, MethodFuture::await);
        }
        if (ReturnTypes.isFuture(type)) {
            return future(annotated, specification, type);
        }
        if (ReturnTypes.isLater(type)) {
            return publisher(annotated, specification, type);
        }
        return new BlockingMethod(
                specification,
                isOpen ? (result, lease) -> requireComplete(annotated, result) : BlockingMethod.ResultHandler.NONE);
    }

    /** Returns the annotations of methods that run on another thread: none unless {@code @EnableAsync} is used. */
    private Set<Class<? extends Annotation>> asynchronous() {
        Set<Class<? extends Annotation>> annotations = new HashSet<>();
        if (beans.containsBean(ASYNC_IS_ENABLED)) {
            annotations.add(Async.class);
            for (String name : beans.getBeanDefinitionNames()) {
                EnableAsync enabled = beans.findAnnotationOnBean(name, EnableAsync.class, false);
                if (enabled != null && enabled.annotation() != Annotation.class) {
                    annotations.add(enabled.annotation());
                }
            }
        }
        return annotations;
    }

    /** Rejects a result whose type the method does not declare, so that the lock cannot be held for it. */
    private void requireComplete(AnnotatedMethod annotated, @Nullable Object result) {
        Object body = HttpBody.of(result);
        if (body != null && ReturnTypes.isIncomplete(body.getClass())) {
            throw deferredBody(annotated, body.getClass());
        }
        if (result != null && ReturnTypes.isIncomplete(result.getClass())) {
            throw annotated.rejected(
                    "it returned a %s, which is computed after the method has returned, without the lock"
                            .formatted(result.getClass().getName()),
                    KotlinDetector.isSuspendingFunction(annotated.method())
                            ? AWAIT
                            : "Return the result itself, or %s, so that the lock is held until its end"
                                    .formatted(
                                            result instanceof CompletionStage || adapter(result.getClass()) != null
                                                    ? "declare the asynchronous type instead of Object"
                                                    : "declare and return a CompletableFuture"),
                    null);
        }
    }

    private static InvalidDistributedLockException deferredBody(AnnotatedMethod annotated, Class<?> type) {
        return annotated.rejected(
                "the body of its response, a %s, is computed after the method has returned, without the lock"
                        .formatted(type.getName()),
                "Return the complete body, or lock the code that the body runs",
                null);
    }

    private LockedMethod suspending(
            AnnotatedMethod annotated, LockSpecification specification, Class<?> type, boolean isOpen) {
        requireCoroutines(annotated, "suspending function", true);
        boolean several = type.getName().equals(ReactiveType.FLOW);
        boolean isJob = type.getName().equals(JOB); // that of coroutineScope { launch { } } has ended
        if (!several && !isJob && ReturnTypes.isIncomplete(type)) {
            throw annotated.rejected(
                    "a %s may be computed after the suspending function has ended, without the lock"
                            .formatted(type.getName()),
                    AWAIT + annotated.orAnnotateMethods(),
                    null);
        }
        LockedMethod method = new ReactiveMethod(
                specification,
                new ReactiveType(null, several),
                isOpen || isJob ? result -> requireEnded(annotated, result) : null);
        return specification.holdsThroughTransaction() ? warningInTransaction(specification, method) : method;
    }

    private void requireEnded(AnnotatedMethod annotated, Object result) {
        if (!CoroutineFollower.hasEnded(result)) {
            requireComplete(annotated, result);
        }
    }

    /** Rejects a method whose calls would fail because Spring does not find what it calls it by. */
    private void requireCoroutines(AnnotatedMethod annotated, String what, boolean byReflection) {
        List<String> missing = new ArrayList<>();
        if (!isReactorPresent() || !isPresent("kotlinx.coroutines.reactor.MonoKt")) {
            missing.add("org.jetbrains.kotlinx:kotlinx-coroutines-reactor");
        }
        if (byReflection && !isPresent("kotlin.reflect.full.KClassifiers")) {
            missing.add("org.jetbrains.kotlin:kotlin-reflect");
        }
        if (!missing.isEmpty()) {
            throw annotated.rejected(
                    "a %s needs kotlinx-coroutines-reactor%s"
                            .formatted(what, byReflection ? " and kotlin-reflect" : ""),
                    "Add " + String.join(" and ", missing),
                    null);
        }
    }

    /** Warns once of a caller whose blocked thread has a transaction, such as one with {@code runBlocking}. */
    private static LockedMethod warningInTransaction(LockSpecification specification, LockedMethod method) {
        AtomicBoolean warned = new AtomicBoolean();
        return call -> {
            if (TransactionHold.isOpen() && warned.compareAndSet(false, true)) {
                LOG.warn(
                        "{} is a suspending function that was called in a transaction of its thread. Its lock is released"
                                + " when it has ended, before that transaction commits, so the next holder may not see"
                                + " what it wrote. Begin the transaction in the function, or do not let it suspend",
                        specification.where());
            }
            return method.invoke(call);
        };
    }

    private LockedMethod future(AnnotatedMethod annotated, LockSpecification specification, Class<?> type) {
        if (!CompletionStage.class.isAssignableFrom(type)) {
            throw annotated.rejected(
                    "a %s does not signal its completion, so the lock would be released while the work still runs"
                            .formatted(type.getName()),
                    "Return a CompletableFuture, or the result itself",
                    null);
        }
        if (!type.isAssignableFrom(CompletableFuture.class)) {
            throw annotated.rejected(
                    "callers get a CompletableFuture, which is no " + type.getName(),
                    "Declare the return type CompletableFuture or CompletionStage, or return the result itself",
                    null);
        }
        return call -> LockedFuture.of(specification, call, executor);
    }

    private LockedMethod publisher(AnnotatedMethod annotated, LockSpecification specification, Class<?> type) {
        if (type.getName().equals(ReactiveType.FLOW)) {
            requireCoroutines(annotated, "Flow", false);
        }
        if (type.getName().equals(ReactiveType.DEFERRED)) {
            requireCoroutines(annotated, "Deferred", true);
        }
        ReactiveAdapter adapter = adapter(type);
        if (adapter == null || !type.isAssignableFrom(adapter.getReactiveType())) {
            throw annotated.rejected(
                    "a %s is an unsupported asynchronous type, so the lock would be released while the work still runs"
                            .formatted(type.getName()),
                    adapter == null
                            ? remedy(type)
                            : "Declare the return type %s, or return the result itself"
                                    .formatted(adapter.getReactiveType().getName()),
                    null);
        }
        return new ReactiveMethod(specification, new ReactiveType(adapter, adapter.isMultiValue()));
    }

    private String remedy(Class<?> unsupported) {
        return isPublisher(unsupported) && !isReactorPresent()
                ? "Add io.projectreactor:reactor-core, or return the result itself or a CompletableFuture"
                : "Return the result itself or a CompletableFuture; with io.projectreactor:reactor-core, also a Mono or a Flux";
    }

    private @Nullable ReactiveAdapter adapter(Class<?> type) {
        return isReactorPresent() ? ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) : null;
    }

    private boolean isReactorPresent() {
        return isPresent("reactor.core.publisher.Flux");
    }

    private static boolean isPublisher(@Nullable Class<?> type) {
        return type != null
                && (type == Flow.Publisher.class
                        || type.getName().equals("org.reactivestreams.Publisher")
                        || isPublisher(type.getSuperclass())
                        || Stream.of(type.getInterfaces()).anyMatch(LockedMethodFactory::isPublisher));
    }

    private boolean isPresent(String type) {
        return ClassUtils.isPresent(type, beans.getBeanClassLoader());
    }
}
