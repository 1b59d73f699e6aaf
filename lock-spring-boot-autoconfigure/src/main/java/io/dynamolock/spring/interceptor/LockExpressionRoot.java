/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Root object of the expressions in a name template: one call of a locked method. */
final class LockExpressionRoot {

    private final Object target;
    private final Method method;
    private final @Nullable Object[] args;

    LockExpressionRoot(Object target, Method method, @Nullable Object[] args) {
        this.target = target;
        this.method = method;
        this.args = args;
    }

    public Object getTarget() {
        return target;
    }

    public Method getMethod() {
        return method;
    }

    public @Nullable Object[] getArgs() {
        return args;
    }
}
