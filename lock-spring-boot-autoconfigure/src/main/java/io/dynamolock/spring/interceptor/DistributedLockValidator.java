/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.DistributedLock;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Checks every {@link DistributedLock} of every bean when the application starts, those of lazy beans, too, so that one that
 * cannot work stops the start instead of a call. Creates no bean. What is made later is checked when it is made.
 *
 * @since 0.1
 */
public final class DistributedLockValidator implements SmartInitializingSingleton, BeanPostProcessor {

    private final ConfigurableListableBeanFactory beans;
    private final DistributedLockAdvisor advisor;
    private final ProxyRules rules;
    private final UnproxiedBeanCheck coverage;
    private volatile boolean started;

    /**
     * Creates the check.
     *
     * @param beans whose definitions are looked through
     * @param advisor knows what works
     */
    public DistributedLockValidator(ConfigurableListableBeanFactory beans, DistributedLockAdvisor advisor) {
        this.beans = beans;
        this.advisor = advisor;
        this.rules = new ProxyRules(beans);
        this.coverage = new UnproxiedBeanCheck(advisor);
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForType(Object.class, true, false)) {
            Class<?> type = typeOf(name);
            if (type != null) {
                check(name, type, beans.getSingleton(name));
            }
        }
        started = true;
    }

    private void check(String name, Class<?> type, @Nullable Object bean) {
        if (!advisor.concerns(type)) {
            return;
        }
        Map<Method, LockedMethod> locked = advisor.check(type);
        rules.checkClass(name, type);
        rules.check(name, type);
        if (bean != null) {
            coverage.check(name, bean, type, locked);
        }
    }

    /** In time to say something better than that there can be no proxy. */
    @Override
    public Object postProcessBeforeInitialization(Object bean, String name) {
        if (Modifier.isFinal(bean.getClass().getModifiers()) && advisor.concerns(bean.getClass())) {
            rules.checkClass(name, bean.getClass());
        }
        return bean;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (started) {
            check(name, ClassUtils.getUserClass(AopProxyUtils.ultimateTargetClass(bean)), bean);
        }
        return bean;
    }

    private @Nullable Class<?> typeOf(String name) {
        try {
            Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
            return type == null ? null : ClassUtils.getUserClass(type);
        } catch (RuntimeException unknown) {
            return null; // a bean whose type cannot be told cannot be checked before it is made
        }
    }
}
