/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockBusyException;
import io.dynamolock.LockManagerClosedException;
import io.dynamolock.LockManagerDrainingException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Strategy for a call whose lock could not be acquired. */
interface BusyHandler {

    Logger LOG = LoggerFactory.getLogger(BusyHandler.class);

    /** Throws the exception to the caller. */
    BusyHandler THROW = new BusyHandler() {
        @Override
        public boolean handles(RuntimeException notAcquired) {
            return false;
        }

        @Override
        public Object instead(MethodInvocation invocation, RuntimeException notAcquired) {
            throw notAcquired;
        }
    };

    /** Returns whether the caller receives a result; if not, {@link #instead} throws the exception. */
    default boolean handles(RuntimeException notAcquired) {
        return true;
    }

    /**
     * Returns the result that the caller receives instead of the method's.
     *
     * @param invocation the call
     * @param notAcquired a {@link LockBusyException}, a {@link LockManagerDrainingException}, or a
     *     {@link LockManagerClosedException} if the application is stopping
     * @throws Throwable that exception, or one thrown by the fallback
     */
    @Nullable
    Object instead(MethodInvocation invocation, RuntimeException notAcquired) throws Throwable;

    /** Returns a strategy that skips the method and returns an empty result. */
    static BusyHandler skip(String where, @Nullable Object empty) {
        return (invocation, notAcquired) -> {
            LOG.debug("Skipped {}: {}", where, reason(notAcquired));
            return empty;
        };
    }

    private static String reason(RuntimeException notAcquired) {
        if (notAcquired instanceof LockBusyException busy) {
            return "lock '" + busy.lockName() + "' is busy";
        }
        return notAcquired instanceof LockManagerClosedException
                ? "the application is stopping"
                : String.valueOf(notAcquired.getMessage());
    }
}
