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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.NamedBeanHolder;

/**
 * One call of a locked method, with what its annotation gives for its arguments.
 *
 * @param specification the method's lock specification
 * @param invocation the call
 * @param request the request for its lock
 * @param bean the lock manager with its bean name
 */
record LockedCall(
        LockSpecification specification,
        MethodInvocation invocation,
        LockRequest request,
        NamedBeanHolder<LockManager> bean) {

    LockManager manager() {
        return bean.getBeanInstance();
    }

    /** Returns the lock name for display; of several locks, their names. */
    private String lockName() {
        return joined(request.names());
    }

    static String joined(List<String> names) {
        return names.size() == 1 ? names.get(0) : String.join(", ", names);
    }

    Lease acquire() throws InterruptedException {
        return required(manager().acquire(request));
    }

    CompletableFuture<Lease> acquireAsync() {
        CompletableFuture<Lease> acquired = required(manager().acquireAsync(request));
        if (acquired.isDone() && !acquired.isCompletedExceptionally()) {
            required(acquired.join());
        }
        return acquired;
    }

    private <T> T required(@Nullable T answer) {
        if (answer == null) {
            throw notRun();
        }
        return answer;
    }

    /** Returns the failure of a manager that does nothing, as a mock does: the method would silently not run. */
    IllegalStateException notRun() {
        return new IllegalStateException(
                "%s has not run: lock manager '%s' (%s) has neither acquired lock '%s' nor thrown an exception. If it is a mock, use @AutoConfigureTestLocks instead, or a spy"
                        .formatted(
                                specification.where(),
                                bean.getBeanName(),
                                manager().getClass().getName(),
                                lockName()));
    }

    /**
     * Acquires the lock for the rest of the caller's transaction; null if there is none, or if locks do not wait for
     * it.
     */
    @Nullable
    Lease holdThroughTransaction() throws InterruptedException {
        return specification.holdsThroughTransaction() ? TransactionHold.acquire(this) : null;
    }

    /** Starts the observation of the call on this thread. */
    ObservedCall observe() {
        return specification
                .observations()
                .get()
                .start(
                        specification.method(),
                        joined(specification.requests().templates()),
                        bean.getBeanName(),
                        lockName());
    }

    /** Returns whether {@link #instead} handles this failure. */
    static boolean isNotAcquired(Throwable failure) {
        return failure instanceof LockBusyException
                || failure instanceof LockManagerDrainingException
                || failure instanceof LockManagerClosedException;
    }

    /**
     * Returns the result of a call that does not run, or throws; publishes an event in either case. A manager that is
     * closed while the application is not closing is an error, which must not skip scheduled methods forever.
     */
    @Nullable
    Object instead(RuntimeException notAcquired, ObservedCall observed) throws Throwable {
        LockEvent.Reason reason = reason(notAcquired);
        BusyHandler handler = reason == LockEvent.Reason.CLOSED ? BusyHandler.THROW : specification.busyHandler();
        boolean skips = handler.handles(notAcquired);
        if (reason == LockEvent.Reason.BUSY) {
            observed.busy();
        } else if (skips) {
            observed.skipped();
        }
        specification.publish(
                skips
                        ? new LockEvent.Skipped(bean.getBeanName(), lockName(), specification.where(), reason)
                        : new LockEvent.Rejected(bean.getBeanName(), lockName(), specification.where(), reason));
        return handler.instead(invocation, notAcquired);
    }

    private LockEvent.Reason reason(RuntimeException notAcquired) {
        if (notAcquired instanceof LockBusyException) {
            return LockEvent.Reason.BUSY;
        }
        if (specification.isClosing()) {
            return LockEvent.Reason.STOPPING;
        }
        return notAcquired instanceof LockManagerDrainingException
                ? LockEvent.Reason.DRAINING
                : LockEvent.Reason.CLOSED;
    }
}
