/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;

/**
 * Keeps the lock at its place in the order. Some of Spring's advice, such as that of {@code @Retryable}, is put before all
 * other whatever its order; the lock goes before it again if its own order is lower. Only {@code @Async} stays outside: the lock
 * belongs to the work, not to handing it over.
 *
 * @since 0.1
 */
public final class DistributedLockPosition implements BeanPostProcessor {

    private final DistributedLockAdvisor advisor;

    /**
     * Creates the processor.
     *
     * @param advisor to be kept in order
     */
    public DistributedLockPosition(DistributedLockAdvisor advisor) {
        this.advisor = advisor;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        if (bean instanceof Advised advised && !advised.isFrozen()) {
            int now = advised.indexOf(advisor);
            for (int i = 0; i < now; i++) {
                if (belongsInside(advised.getAdvisors()[i])) {
                    advised.removeAdvisor(now);
                    advised.addAdvisor(i, advisor);
                    break;
                }
            }
        }
        return bean;
    }

    private boolean belongsInside(Advisor other) {
        int order = other instanceof Ordered ordered ? ordered.getOrder() : Ordered.LOWEST_PRECEDENCE;
        return order > advisor.getOrder() && !(other.getAdvice() instanceof AsyncExecutionInterceptor);
    }
}
