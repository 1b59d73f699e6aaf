/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** A method that returns a future: the lock is held until the future is completed. */
final class FutureMethod implements LockedMethod {

    private final LockSpecification specification;
    private final FutureExecutor executor;

    FutureMethod(LockSpecification specification, FutureExecutor executor) {
        this.specification = specification;
        this.executor = executor;
    }

    @Override
    public CompletableFuture<@Nullable Object> invoke(MethodInvocation invocation) {
        LockedFuture result =
                new LockedFuture(specification, ((ProxyMethodInvocation) invocation).invocableClone(), executor);
        result.start();
        return result;
    }
}
