/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockManager;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockManagerDrainingException;
import io.dynamolock.LockRequest;
import io.dynamolock.spring.LockEvent;
import io.dynamolock.spring.observation.ObservedCall;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.NamedBeanHolder;

/**
 * One call of a locked method, with what its annotation gives for its arguments.
 *
 * @param terms the method's lock specification
 * @param invocation the call
 * @param request the request for its lock
 * @param bean the lock manager with its bean name
 */
record LockedCall(
        LockSpecification terms, MethodInvocation invocation, LockRequest request, NamedBeanHolder<LockManager> bean) {

    LockManager manager() {
        return bean.getBeanInstance();
    }

    /** Returns whether the condition of the method allows the call. */
    boolean isAllowed() {
        return terms.condition().allows(invocation);
    }

    /** Acquires the lock for the rest of the caller's transaction; null if there is none, or if locks do not wait for it. */
    @Nullable
    Lease holdThroughTransaction() throws InterruptedException {
        return terms.holdsThroughTransaction() ? TransactionHold.acquire(manager(), request) : null;
    }

    /** Starts the observation of the call on this thread. */
    ObservedCall observe() {
        return terms.observations()
                .get()
                .start(terms.method(), terms.requests().template(), bean.getBeanName(), request.name());
    }

    /**
     * Returns whether {@link #instead} handles this failure. A manager that is closed while the application is not
     * closing is an error, which must not skip scheduled methods for ever.
     */
    boolean isNotAcquired(Throwable failure) {
        return failure instanceof LockBusyException
                || failure instanceof CallSkippedException
                || (isOfStoppedManager(failure) && terms.isClosing());
    }

    private static boolean isOfStoppedManager(Throwable failure) {
        return failure instanceof LockManagerClosedException || failure instanceof LockManagerDrainingException;
    }

    /** Returns the result of a call that does not run, or throws; publishes an event in either case. */
    @Nullable
    Object instead(RuntimeException notAcquired, ObservedCall observed) throws Throwable {
        if (notAcquired instanceof LockBusyException) {
            observed.busy();
        }
        BusyHandler handler = notAcquired instanceof CallSkippedException ? terms.whenOff() : terms.whenBusy();
        terms.publish(event(notAcquired, handler == BusyHandler.THROW));
        return handler.instead(invocation, notAcquired);
    }

    private LockEvent event(RuntimeException notAcquired, boolean thrown) {
        LockEvent.Reason reason = notAcquired instanceof LockBusyException
                ? LockEvent.Reason.BUSY
                : notAcquired instanceof CallSkippedException ? LockEvent.Reason.CONDITION : LockEvent.Reason.STOPPING;
        return thrown
                ? new LockEvent.Refused(bean.getBeanName(), request.name(), terms.where(), reason)
                : new LockEvent.Skipped(bean.getBeanName(), request.name(), terms.where(), reason);
    }
}
