/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.Proxies;
import java.lang.reflect.Method;
import java.util.Set;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;

/** Refuses locked methods whose lock is outside of their {@code @Async}, so that it covers only the submission. */
final class AsyncOrderCheck {

    private final Advisor lock;

    AsyncOrderCheck(Advisor lock) {
        this.lock = lock;
    }

    void check(Object bean, Class<?> type, Set<Method> locked) {
        boolean inside = false;
        for (Advised proxy : Proxies.of(bean)) {
            for (Advisor advisor : proxy.getAdvisors()) {
                if (advisor.equals(lock)) {
                    inside = true;
                } else if (inside && advisor.getAdvice() instanceof AsyncExecutionInterceptor) {
                    locked.forEach(method -> requireNotAsync((PointcutAdvisor) advisor, method, type));
                }
            }
        }
    }

    private static void requireNotAsync(PointcutAdvisor async, Method method, Class<?> type) {
        if (async.getPointcut().getMethodMatcher().matches(method, type)) {
            throw new InvalidDistributedLockException(
                    type.getName() + "." + method.getName(),
                    "the lock is outside of @Async, so it would be released when the work is submitted",
                    "Do not set the order of @EnableAsync to Ordered.HIGHEST_PRECEDENCE",
                    null);
        }
    }
}
