/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.BeanPostProcessor;

/**
 * Checks the proxies that a child context makes after its start by the advisor of its parent, such as those of lazy
 * beans and prototypes: once for each bean and class, unless the check fails.
 */
final class LaterBeans implements BeanPostProcessor {

    private final AnnotatedBeanValidator validator;
    private final Set<Checked> checked = ConcurrentHashMap.newKeySet();

    private record Checked(String name, Class<?> type) {}

    /**
     * Creates the check.
     *
     * @param validator the validator of the child context
     */
    LaterBeans(AnnotatedBeanValidator validator) {
        this.validator = validator;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (validator.hasAdvisor(bean)) {
            Checked once = new Checked(name, BeanTypes.behind(bean));
            if (!checked.contains(once)) {
                validator.check(name, once.type(), bean, null);
                checked.add(once);
            }
        }
        return bean;
    }
}
