/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;

/** Runs each call of a locked method under its lock. */
final class LockInterceptor implements MethodInterceptor {

    private final LockedMethodResolver methods;

    LockInterceptor(LockedMethodResolver methods) {
        this.methods = methods;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        Object target = invocation.getThis();
        Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : AopUtils.getTargetClass(target);
        LockedMethod locked = methods.of(invocation.getMethod(), type);
        return locked == null ? invocation.proceed() : locked.invoke(invocation);
    }
}
