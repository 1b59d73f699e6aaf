/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LeaseLost;
import io.dynamolock.ReleaseOutcome;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.LeadershipEvent;
import io.dynamolock.spring.LockEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

/**
 * Registers the reflection hints of every application with locked methods: the annotation, types used in expressions,
 * and detected libraries.
 *
 * @since 0.1
 */
public final class LockRuntimeHints implements RuntimeHintsRegistrar {

    private static final List<Class<?>> IN_EXPRESSIONS = List.of(
            LockExpressionRoot.class,
            LockEvent.class,
            LockEvent.OfLease.class,
            LockEvent.Acquired.class,
            LockEvent.Released.class,
            LockEvent.Lost.class,
            LockEvent.RenewalFailed.class,
            LockEvent.Skipped.class,
            LockEvent.Rejected.class,
            LockEvent.Reason.class,
            LeadershipEvent.class,
            LeadershipEvent.Granted.class,
            LeadershipEvent.Revoked.class,
            LeaseLost.class,
            LeaseLost.Reason.class,
            ReleaseOutcome.class);

    /** Classes whose presence decides what is done. Without a hint, a native image takes each of them for absent. */
    private static final List<String> LOOKED_FOR = List.of(
            "io.micrometer.context.ContextSnapshotFactory",
            "kotlin.reflect.full.KClassifiers",
            "kotlinx.coroutines.reactor.MonoKt",
            "org.springframework.http.HttpEntity",
            "org.springframework.transaction.ConfigurableTransactionManager",
            "org.springframework.transaction.support.TransactionSynchronizationManager",
            "reactor.core.publisher.Flux",
            "software.amazon.awssdk.http.apache5.Apache5HttpClient");

    /** Creates the registrar. Called by Spring. */
    public LockRuntimeHints() {}

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.reflection().registerType(DistributedLock.class, MemberCategory.INVOKE_PUBLIC_METHODS);
        IN_EXPRESSIONS.forEach(type -> hints.reflection().registerType(type, MemberCategory.INVOKE_PUBLIC_METHODS));
        hints.reflection().registerType(UnqualifiedManager.Injected.class, MemberCategory.INVOKE_DECLARED_CONSTRUCTORS);
        hints.reflection()
                .registerType(SimpleAsyncTaskExecutor.class, type -> type.withField("activeThreads")) // at shutdown
                .registerTypeIfPresent(
                        classLoader,
                        "org.springframework.scheduling.quartz.SchedulerFactoryBean",
                        type -> type.withField("waitForJobsToCompleteOnShutdown"));
        LOOKED_FOR.forEach(name -> hints.reflection().registerTypeIfPresent(classLoader, name));
    }
}
