/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

/**
 * Watches the calls of locked methods. Tracing is built on it; without a bean of this type nobody watches. One that throws is
 * logged and harms no call.
 *
 * @since 0.1
 */
@FunctionalInterface
public interface CallWatcher {

    /** Watches nothing. */
    CallWatcher NONE = call -> CallWatch.NONE;

    /**
     * A call starts, on the thread of the caller. The lock will be acquired next.
     *
     * @param call the call
     * @return is told what becomes of it
     */
    CallWatch starts(LockedCall call);
}
