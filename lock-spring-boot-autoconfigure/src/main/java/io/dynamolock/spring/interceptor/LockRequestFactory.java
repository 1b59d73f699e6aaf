/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockRequest;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;

/** Makes the request for each call of one locked method: the same one each time if the name does not depend on the call. */
final class LockRequestFactory {

    private final Method method;
    private final String where;
    private final String source;
    private final NameTemplate template;
    private final LockExpressionVariables variables;
    private final EvaluationContext shared;
    private final LockRequest pattern;

    /**
     * Creates the requests of a method.
     *
     * @param annotated what is called
     * @param source the template as it was written
     * @param template the name
     * @param variables what the name can depend on
     * @param shared the context of all calls
     * @param pattern the request, but for its name
     */
    LockRequestFactory(
            AnnotatedMethod annotated,
            String source,
            NameTemplate template,
            LockExpressionVariables variables,
            EvaluationContext shared,
            LockRequest pattern) {
        this.method = annotated.method();
        this.where = annotated.where();
        this.source = source;
        this.template = template;
        this.variables = variables;
        this.shared = shared;
        this.pattern = template.constant() == null ? pattern : pattern.name(template.constant());
    }

    LockRequest forCall(@Nullable Object target, @Nullable Object[] args) {
        if (template.constant() != null) {
            return pattern;
        }
        LockExpressionRoot call = new LockExpressionRoot(Objects.requireNonNull(target), method, args);
        try {
            return pattern.name(template.render(new LockEvaluationContext(shared, variables, call)));
        } catch (IllegalArgumentException failure) {
            throw new IllegalStateException(
                    "No lock name for %s from '%s': %s".formatted(where, source, failure.getMessage()), failure);
        }
    }

    /** A request as one call may make it; where its name depends on the call, the template stands for it. */
    LockRequest example() {
        return template.constant() == null ? pattern.name(source) : pattern;
    }

    /** The name template as it was written. */
    String template() {
        return source;
    }
}
