/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.spring.LockScope;
import io.dynamolock.spring.Locks;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.interceptor.ExposeInvocationInterceptor;

/**
 * Invokes a method under its lease, which {@link Locks#current()} returns meanwhile and {@link Lease} parameters
 * receive. Advice of AspectJ inside of the lock finds the invocation on this thread, which need not be the caller's.
 */
final class LockedBody {

    private LockedBody() {}

    static @Nullable Object run(MethodInvocation invocation, Lease lease) throws Exception {
        lease.ensureHeld(); // the call may have waited for a thread meanwhile
        fillIn(invocation, lease);
        LockScope scope = LockScope.enter(lease);
        try {
            return ExposeInvocationInterceptor.INSTANCE.invoke(invocation);
        } catch (Exception | Error usual) {
            throw usual;
        } catch (Throwable unusual) {
            throw LockedBody.<RuntimeException>unchanged(unusual);
        } finally {
            scope.leave();
        }
    }

    /** Sets each parameter of type {@link Lease} for which the caller passed null. */
    private static void fillIn(MethodInvocation invocation, Lease lease) {
        Class<?>[] types = invocation.getMethod().getParameterTypes();
        Object[] arguments = invocation.getArguments();
        for (int i = 0; i < types.length; i++) {
            if (types[i] == Lease.class && arguments[i] == null) {
                arguments[i] = lease;
            }
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"
    }) // rethrows a Throwable that is neither an Exception nor an Error
    private static <E extends Throwable> E unchanged(Throwable failure) throws E {
        throw (E) failure;
    }
}
