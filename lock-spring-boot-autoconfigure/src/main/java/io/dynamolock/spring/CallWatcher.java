/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

/**
 * Callback interface for calls of locked methods, implemented by a bean. Tracing is built on it. Exceptions from it and
 * from its {@link CallWatch}es are logged and do not affect the call.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface CallWatcher {

    /** Ignores all calls. */
    CallWatcher NONE = call -> CallWatch.NONE;

    /**
     * Called on the calling thread when a call starts, before the lock is acquired.
     *
     * @param call the call
     * @return the callbacks for this call
     */
    CallWatch starts(LockedCall call);
}
