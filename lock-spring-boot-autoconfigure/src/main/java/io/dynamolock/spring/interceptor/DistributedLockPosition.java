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
 * Restores the position of the lock among the advice of a bean. Some advice of Spring, such as that of
 * {@code @Retryable}, is added before all other advice regardless of its order; this processor moves the lock before it
 * if the lock's order is lower. Only {@code @Async} stays outside: the lock belongs to the work, not to its submission.
 *
 * @since 0.1
 */
public final class DistributedLockPosition implements BeanPostProcessor {

    private final DistributedLockAdvisor advisor;

    /**
     * Creates the processor.
     *
     * @param advisor the advisor to move
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
