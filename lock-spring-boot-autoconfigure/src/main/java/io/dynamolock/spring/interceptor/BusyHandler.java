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

/** What happens to a call whose lock could not be had. */
interface BusyHandler {

    Logger LOG = LoggerFactory.getLogger(BusyHandler.class);

    /** Tells the caller. */
    BusyHandler THROW = (invocation, notAcquired) -> {
        throw notAcquired;
    };

    /**
     * Gives what the caller gets instead.
     *
     * @param invocation the call
     * @param notAcquired a {@link LockBusyException}, or a {@link LockManagerClosedException} if the application is stopping
     * @throws Throwable that, or what the fallback throws
     */
    @Nullable
    Object instead(MethodInvocation invocation, RuntimeException notAcquired) throws Throwable;

    /** Returns an empty result. */
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
