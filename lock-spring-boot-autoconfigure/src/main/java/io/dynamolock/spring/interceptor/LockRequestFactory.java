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

/** Creates the request for each call of one locked method; the same instance if the name does not depend on the call. */
final class LockRequestFactory {

    private final Method method;
    private final String where;
    private final String source;
    private final NameTemplate template;
    private final LockExpressionVariables variables;
    private final EvaluationContext shared;
    private final LockRequest pattern;

    /**
     * Creates the factory of a method.
     *
     * @param annotated the method
     * @param source the name template as written
     * @param template the parsed name template
     * @param variables the variables that the name can depend on
     * @param shared the evaluation context that all calls share
     * @param pattern the request without its name
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
                    "Cannot evaluate the lock name of %s from '%s': %s".formatted(where, source, failure.getMessage()),
                    failure);
        }
    }

    /** Returns an example request; if the name depends on the call, the template is used as the name. */
    LockRequest example() {
        return template.constant() == null ? pattern.name(source) : pattern;
    }

    /** Returns the name template as written. */
    String template() {
        return source;
    }
}
