/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.Proxies;
import java.util.Arrays;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.Ordered;

/**
 * Restores the order of the lock and other advice of a bean. Some advice of Spring, such as that of {@code @Retryable},
 * is added before all other advice regardless of its order; this processor moves it behind the lock if the lock's order
 * is lower. Only {@code @Async} stays outside: the lock belongs to the work, not to its submission. If two creators have
 * made a proxy each, only the inner one keeps the lock: a future or a publisher would lock itself out.
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
            if (Proxies.of(bean).stream().skip(1).anyMatch(inner -> inner.indexOf(advisor) >= 0)) {
                advised.removeAdvisor(advisor);
            }
            Advisor[] outside = Arrays.copyOf(advised.getAdvisors(), Math.max(0, advised.indexOf(advisor)));
            for (int i = outside.length - 1; i >= 0; i--) {
                if (belongsInside(outside[i])) {
                    advised.removeAdvisor(i);
                    advised.addAdvisor(advised.indexOf(advisor) + 1, outside[i]);
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
