/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.FactoryBean;

/**
 * Logs a warning for beans with locked methods that are not proxied, for example because they were created too early.
 */
final class UnproxiedBeanCheck {

    private static final Logger LOG = LoggerFactory.getLogger(UnproxiedBeanCheck.class);

    private static final String UNPROXIED =
            "has no proxy. It was created too early, as a dependency of a bean post-processor, or manually, is a mock, or"
                    + " was replaced by another bean post-processor. Inject it later (ObjectProvider, @Lazy, a static @Bean"
                    + " method), or replace it after its proxy was made";

    private static final String REPLACED =
            "was replaced by a %s before its proxy was made. Let the bean post-processor that replaces it do so in"
                    + " postProcessAfterInitialization, without being PriorityOrdered";

    private final DistributedLockAdvisor advisor;

    UnproxiedBeanCheck(DistributedLockAdvisor advisor) {
        this.advisor = advisor;
    }

    void check(String name, @Nullable Object bean, Class<?> type, Map<Method, LockedMethod> locked) {
        if (locked.isEmpty()
                || bean instanceof AopInfrastructureBean
                || bean instanceof FactoryBean
                || advisor.isIn(name, bean, type)) {
            return;
        }
        LOG.warn(
                "@DistributedLock on {}.{} has no effect: bean '{}' {}",
                type.getName(),
                locked.keySet().iterator().next().getName(),
                name,
                bean == null || type.isAssignableFrom(AopProxyUtils.ultimateTargetClass(bean))
                        ? UNPROXIED
                        : REPLACED.formatted(
                                AopProxyUtils.ultimateTargetClass(bean).getName()));
    }
}
