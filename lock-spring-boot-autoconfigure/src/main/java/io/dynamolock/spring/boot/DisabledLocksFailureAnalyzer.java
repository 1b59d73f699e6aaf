/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.LockManager;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Explains why a bean of this library does not exist with {@code dynamolock.enabled=false}. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class DisabledLocksFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException> {

    private static final String LIBRARY = LockManager.class.getPackageName() + ".";

    private final @Nullable Environment environment;

    /** Creates the analyzer. Called by Spring. */
    DisabledLocksFailureAnalyzer(@Nullable Environment environment) {
        this.environment = environment;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable failure, NoSuchBeanDefinitionException missing) {
        ResolvableType wanted = missing.getResolvableType();
        Class<?> type = wanted == null ? null : wanted.resolve();
        boolean isMissing = !(missing instanceof NoUniqueBeanDefinitionException);
        if (!isMissing || type == null || !type.getName().startsWith(LIBRARY) || !isDisabled()) {
            return null;
        }
        return new FailureAnalysis(
                "There is no bean of type %s while dynamolock.enabled = false: only lock managers are configured then."
                        .formatted(type.getName()),
                "Inject ObjectProvider<%s>, or LockManager, which grants every request; or remove dynamolock.enabled."
                        .formatted(type.getSimpleName()),
                failure);
    }

    private boolean isDisabled() {
        return environment != null && !OnLocking.locks(environment);
    }
}
