/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import io.dynamolock.LockBusyException;
import io.dynamolock.LockManagerClosedException;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Strategy for a call whose lock could not be acquired. */
interface BusyHandler {

    Logger LOG = LoggerFactory.getLogger(BusyHandler.class);

    /** Throws the exception to the caller. */
    BusyHandler THROW = (invocation, notAcquired) -> {
        throw notAcquired;
    };

    /**
     * Returns the result that the caller receives instead of the method's.
     *
     * @param invocation the call
     * @param notAcquired a {@link LockBusyException}, or a {@link LockManagerClosedException} if the application is
     *     stopping
     * @throws Throwable that exception, or one thrown by the fallback
     */
    @Nullable
    Object instead(MethodInvocation invocation, RuntimeException notAcquired) throws Throwable;

    /** Returns a strategy that skips the method and returns an empty result. */
    static BusyHandler skip(String where, @Nullable Object empty) {
        return (invocation, notAcquired) -> {
            LOG.debug(
                    "Skipped {}: {}",
                    where,
                    notAcquired instanceof LockBusyException busy
                            ? "lock '" + busy.lockName() + "' is busy"
                            : "the application is stopping");
            return empty;
        };
    }
}
