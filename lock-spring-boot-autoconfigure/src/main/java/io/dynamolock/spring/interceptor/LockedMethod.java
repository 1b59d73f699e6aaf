/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.interceptor;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** How calls of one locked method run, from the lock to its release. */
interface LockedMethod {

    /**
     * Runs one call under its lock, or does what is to be done instead.
     *
     * @return what the caller gets
     * @throws Throwable what the method throws, unchanged, or why it did not run
     */
    @Nullable
    Object invoke(MethodInvocation invocation) throws Throwable;
}
