/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/** Runs each call of a locked method under its lock. */
final class LockInterceptor implements MethodInterceptor {

    private final Supplier<LockedMethodResolver> resolver;

    LockInterceptor(Supplier<LockedMethodResolver> resolver) {
        this.resolver = resolver;
    }

    @Override
    public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
        return find(invocation.getMethod(), invocation.getThis()).invoke(invocation);
    }

    /** The target may be a proxy of its own, whose target class lacks the annotated interface. */
    private LockedMethod find(Method method, @Nullable Object target) {
        LockedMethodResolver methods = resolver.get();
        LockedMethod locked = methods.of(
                method,
                target == null ? method.getDeclaringClass() : ClassUtils.getUserClass(AopUtils.getTargetClass(target)));
        if (locked == null && target != null) {
            locked = methods.of(method, target.getClass());
        }
        if (locked == null) {
            throw new IllegalStateException(
                    "The @DistributedLock that %s was proxied for cannot be found: not called, as it would run without a lock"
                            .formatted(method));
        }
        return locked;
    }
}
