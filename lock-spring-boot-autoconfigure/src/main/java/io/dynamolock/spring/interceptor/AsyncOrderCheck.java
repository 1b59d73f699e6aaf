/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.spring.InvalidDistributedLockException;
import io.dynamolock.spring.KotlinFunctions;
import io.dynamolock.spring.Proxies;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.Future;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

/** Refuses locked methods whose lock is outside of their {@code @Async}, so that it covers only the submission. */
final class AsyncOrderCheck {

    private final BeanFactory beans;
    private final Advisor lock;

    AsyncOrderCheck(BeanFactory beans, Advisor lock) {
        this.beans = beans;
        this.lock = lock;
    }

    void check(Object bean, Class<?> type, Set<Method> locked) {
        if (beans.containsBean(TaskManagementConfigUtils.ASYNC_EXECUTION_ASPECT_BEAN_NAME)) {
            locked.forEach(method -> requireNotWoven(method, type));
        }
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
            throw rejected(method, type, "Do not set the order of @EnableAsync to Ordered.HIGHEST_PRECEDENCE");
        }
    }

    /** An aspect that is woven into a class is inside of all proxies. It applies to methods that return nothing or a future. */
    private static void requireNotWoven(Method method, Class<?> type) {
        boolean submits = method.getReturnType() == void.class || Future.class.isAssignableFrom(method.getReturnType());
        if (submits
                && (method.isAnnotationPresent(Async.class)
                        || method.getDeclaringClass().isAnnotationPresent(Async.class))) {
            throw rejected(method, type, "Remove mode = AdviceMode.ASPECTJ from @EnableAsync");
        }
    }

    private static InvalidDistributedLockException rejected(Method method, Class<?> type, String remedy) {
        return new InvalidDistributedLockException(
                type.getName() + "." + KotlinFunctions.sourceNameOf(method),
                "the lock is outside of @Async, so it would be released when the work is submitted",
                remedy,
                null);
    }
}
