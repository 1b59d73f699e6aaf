/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Evaluates {@link ConditionalOnLocking}. */
final class OnLocking extends SpringBootCondition {

    static final String KEY = "enabled";

    /** Creates the condition. Called by Spring. */
    OnLocking() {}

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        boolean wanted =
                metadata.getAnnotations().get(ConditionalOnLocking.class).getBoolean(MergedAnnotation.VALUE);
        boolean locks = locks(context.getEnvironment());
        return new ConditionOutcome(
                locks == wanted,
                ConditionMessage.forCondition(ConditionalOnLocking.class)
                        .because("%s is %s".formatted(PropertyKeys.DEFAULT.of(KEY), locks)));
    }

    /** Returns whether the application locks. */
    static boolean locks(Environment environment) {
        String key = PropertyKeys.DEFAULT.of(KEY);
        try {
            return Binder.get(environment)
                    .bind(key, Bindable.of(Boolean.class), new EmptyPropertiesAdvisor().apply(BindHandler.DEFAULT))
                    .orElse(true);
        } catch (BindException neither) {
            if (neither.getCause() instanceof InvalidLockPropertyException unresolved) {
                throw unresolved;
            }
            PropertyKeys.DEFAULT.require(
                    false, KEY, environment.getProperty(key), "be true or false (or on, off, yes, no, 1, 0)");
            throw neither;
        }
    }

    /** Returns the exception for a context whose parent has another value, with what follows from that. */
    static InvalidLockPropertyException differsFromParent(boolean here, String consequence) {
        return PropertyKeys.DEFAULT.rejection(
                "{%s} is %s here, but %s in the parent context, %s".formatted(KEY, here, !here, consequence),
                "Set the same value in both.",
                null);
    }
}
