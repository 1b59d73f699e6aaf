/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.observation.LockObservations;
import io.dynamolock.spring.observation.ObservedCall;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.NamedBeanHolder;

/**
 * Resolved lock settings of one method.
 *
 * @param method the method
 * @param requests the factory of the lock requests
 * @param bean the lock manager with its bean name
 * @param whenBusy the strategy if the lock cannot be acquired
 * @param observations the observations of the calls
 */
record LockSpecification(
        Method method,
        LockRequestFactory requests,
        Supplier<NamedBeanHolder<LockManager>> bean,
        BusyHandler whenBusy,
        Supplier<LockObservations> observations) {

    LockManager manager() {
        return bean.get().getBeanInstance();
    }

    LockRequest requestFor(MethodInvocation invocation) {
        return requests.forCall(invocation.getThis(), invocation.getArguments());
    }

    /** Starts the observation of a call on this thread. */
    ObservedCall observe(LockRequest request) {
        return observations.get().start(method, requests.template(), bean.get().getBeanName(), request.name());
    }

    /** Returns whether a {@link BusyHandler} handles this failure to acquire. */
    static boolean isNotAcquired(Throwable failure) {
        return failure instanceof LockBusyException || failure instanceof LockManagerClosedException;
    }

    @Nullable
    Object instead(MethodInvocation invocation, RuntimeException notAcquired, ObservedCall call) throws Throwable {
        if (notAcquired instanceof LockBusyException) {
            call.busy();
        }
        return whenBusy.instead(invocation, notAcquired);
    }
}
