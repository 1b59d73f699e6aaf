/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.AnnotatedBeanValidator;
import io.dynamolock.spring.BeanProxy;
import io.dynamolock.spring.DistributedLock;
import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.KotlinFunctions;
import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.util.ClassUtils;

/**
 * Validates every {@link DistributedLock} of every bean at startup, including lazy beans, so that an invalid one fails
 * the startup instead of a call. Creates no bean. A bean that is created later is validated on its creation.
 *
 * @since 0.1
 */
public final class DistributedLockValidator extends AnnotatedBeanValidator {

    private static final Logger LOG = LoggerFactory.getLogger(DistributedLockValidator.class);

    private final DistributedLockAdvisor advisor;
    private final ProxyRules rules;
    private final AsyncOrderCheck asyncCheck;

    /**
     * Creates the validator.
     *
     * @param beans the bean factory whose definitions are validated
     * @param advisor the advisor that reads the annotations
     */
    public DistributedLockValidator(ConfigurableListableBeanFactory beans, DistributedLockAdvisor advisor) {
        super(beans, advisor, advisor.proxied());
        this.advisor = advisor;
        this.rules = new ProxyRules(beans);
        this.asyncCheck = new AsyncOrderCheck(beans, advisor);
    }

    /** Runs before the bean's init methods. */
    @Override
    public void postProcessMergedBeanDefinition(RootBeanDefinition definition, Class<?> type, String name) {
        Class<?> own = ClassUtils.getUserClass(type);
        if (concerns(own)) {
            rules.checkLifecycle(name, own);
            if (FactoryBean.class.isAssignableFrom(own)
                    || MergedAnnotations.from(own).isPresent(Configuration.class)) {
                rules.checkFactory(name, own);
            }
        }
    }

    @Override
    protected AnnotatedBeanValidator of(ConfigurableListableBeanFactory child) {
        return new DistributedLockValidator(child, advisor);
    }

    @Override
    protected void checkClass(String name, Class<?> type) {
        rules.checkClass(name, type);
    }

    @Override
    protected RuntimeException invalid(String type, String problem, String remedy) {
        return new InvalidDistributedLockException(type, problem, remedy, null);
    }

    @Override
    protected void check(String name, Class<?> type, @Nullable Object bean, BeanProxy.@Nullable Obstacle unproxied) {
        rules.checkLifecycle(name, type);
        Map<Method, LockedMethod> locked = advisor.check(type);
        rules.checkClass(name, type);
        rules.check(name, type, bean);
        if (unproxied != null && !locked.isEmpty()) {
            LOG.warn(
                    "@DistributedLock on {}.{} has no effect: {}. {}",
                    type.getName(),
                    KotlinFunctions.sourceNameOf(locked.keySet().iterator().next()),
                    unproxied.problem(),
                    unproxied.remedy());
        }
        if (bean != null) {
            asyncCheck.check(bean, type, locked.keySet());
        }
    }
}
