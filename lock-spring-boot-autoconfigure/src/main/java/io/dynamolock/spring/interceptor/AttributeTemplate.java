/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;

/**
 * An attribute of one method's annotation that is evaluated for each call.
 *
 * @param annotated the method
 * @param attribute the attribute
 * @param source the template as written
 * @param parsed the parsed template
 * @param variables the variables that it can depend on
 * @param shared the evaluation context that all calls share
 */
record AttributeTemplate(
        AnnotatedMethod annotated,
        String attribute,
        String source,
        NameTemplate parsed,
        LockExpressionVariables variables,
        EvaluationContext shared) {

    /** Returns the value if it is the same for every call; null if it depends on the call. */
    @Nullable
    String constant() {
        return parsed.constant();
    }

    /**
     * Returns the value for a call; throws IllegalStateException if an expression fails, or gives null or blank text.
     */
    String forCall(MethodInvocation call) {
        String constant = parsed.constant();
        return constant != null ? constant : evaluated(call, parsed::render);
    }

    /** Returns the values for a call, of which an expression may give several; throws as {@link #forCall}. */
    List<String> allForCall(MethodInvocation call) {
        String constant = parsed.constant();
        return constant != null ? List.of(constant) : evaluated(call, parsed::renderAll);
    }

    private <T> T evaluated(MethodInvocation call, Function<EvaluationContext, T> rendering) {
        LockExpressionRoot root = new LockExpressionRoot(
                Objects.requireNonNull(call.getThis()),
                annotated.method(),
                variables.arguments(ValueClasses.arguments(call, annotated.method())));
        try {
            return rendering.apply(new LockEvaluationContext(shared, variables, root));
        } catch (IllegalArgumentException failure) {
            throw failed(failure);
        }
    }

    /** Returns the exception for a value that cannot be evaluated or used. */
    IllegalStateException failed(RuntimeException failure) {
        return new IllegalStateException(
                "Cannot evaluate the %s of %s from '%s': %s"
                        .formatted(label(), annotated.where(), source, failure.getMessage()),
                failure);
    }

    /** Returns the value at the moment, outside of a call; null if it depends on the call, or cannot be evaluated. */
    @Nullable
    String now() {
        if (parsed.dependsOnCall()) {
            return null;
        }
        try {
            return parsed.render(shared);
        } catch (RuntimeException failure) { // also of the application, such as a service of flags
            return null;
        }
    }

    private String label() {
        return attribute.equals("name") ? "lock name" : attribute;
    }
}
