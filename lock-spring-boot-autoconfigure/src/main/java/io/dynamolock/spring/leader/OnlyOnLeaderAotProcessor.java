/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

import io.dynamolock.spring.BeanProxy;
import io.dynamolock.spring.OnlyOnLeader;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ClassUtils;

/**
 * Registers the reflection hints of a bean's {@link OnlyOnLeader} methods for ahead-of-time processing: the methods, and
 * those of interfaces by which a proxy calls them.
 */
final class OnlyOnLeaderAotProcessor implements BeanRegistrationAotProcessor {

    private final OnlyOnLeaderAdvisor advisor = new OnlyOnLeaderAdvisor(Optional::empty, null);

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = ClassUtils.getUserClass(bean.getBeanClass());
        if (!advisor.getPointcut().getClassFilter().matches(type)) {
            return null;
        }
        Set<Method> methods = advisor.methodsOf(type);
        return methods.isEmpty()
                ? null
                : (generation, code) -> {
                    ReflectionHints hints = generation.getRuntimeHints().reflection();
                    methods.stream()
                            .flatMap(method -> BeanProxy.invocable(type, method))
                            .forEach(invocable -> hints.registerMethod(invocable, ExecutableMode.INVOKE));
                };
    }
}
