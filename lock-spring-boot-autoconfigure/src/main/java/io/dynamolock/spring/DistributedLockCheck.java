/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.stereotype.Component;

/**
 * Checks every {@link DistributedLock} of every bean when the application starts, those of lazy beans, too, so that one that
 * cannot work stops the start instead of a call. Creates no bean.
 *
 * @since 0.1
 */
public final class DistributedLockCheck implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final DistributedLockAdvisor advisor;

    /**
     * Creates the check.
     *
     * @param beans whose definitions are looked through
     * @param advisor knows what works
     */
    public DistributedLockCheck(ConfigurableListableBeanFactory beans, DistributedLockAdvisor advisor) {
        this.beans = beans;
        this.advisor = advisor;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = typeOf(name);
            if (type != null && !isSpringsOwn(type)) {
                advisor.check(type);
            }
        }
    }

    private static boolean isSpringsOwn(Class<?> type) {
        return type.getName().startsWith("org.springframework.")
                && !AnnotatedElementUtils.hasAnnotation(type, Component.class);
    }

    private @Nullable Class<?> typeOf(String name) {
        try {
            return AutoProxyUtils.determineTargetClass(beans, name);
        } catch (RuntimeException unknown) {
            return null; // a bean whose type cannot be told cannot be checked before it is made
        }
    }
}
