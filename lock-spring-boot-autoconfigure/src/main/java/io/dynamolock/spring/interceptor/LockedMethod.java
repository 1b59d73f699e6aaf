/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** Execution of the calls of one locked method, from the acquisition to the release. */
interface LockedMethod {

    /**
     * Runs one call under its lock, or applies the {@link BusyHandler}.
     *
     * @return the result for the caller
     * @throws Throwable the exception of the method, unchanged, or the reason why the method did not run
     */
    @Nullable
    Object invoke(MethodInvocation invocation) throws Throwable;
}
