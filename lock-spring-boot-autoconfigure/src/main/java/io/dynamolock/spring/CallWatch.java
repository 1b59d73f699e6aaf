/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.Lease;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Callback interface for the phases of one call of a locked method: {@link #acquired} and {@link #worked}, or
 * {@link #busy}, or neither, and {@link #ended} in any case. The callbacks come in this order, each on the thread on
 * which the phase changes.
 *
 * @since 0.1
 */
public interface CallWatch {

    /** Ignores all callbacks. */
    CallWatch NONE = new CallWatch() {};

    /** Scope in which a call is the current one of a thread. Must be closed on the same thread. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {

        /** Does nothing. */
        Scope NONE = () -> {};

        @Override
        void close();
    }

    /**
     * Makes the call the current one of this thread: everything traced on it until the scope is closed belongs to the
     * call.
     *
     * @return a scope that the same thread must close, the innermost scope first
     */
    default Scope enter() {
        return Scope.NONE;
    }

    /**
     * Returns the Reactor context entries that make the call the current one of a reactive pipeline.
     *
     * @return entries to add to the Reactor context
     */
    default Map<Object, Object> context() {
        return Map.of();
    }

    /**
     * Called when the lock has been acquired, before the method runs.
     *
     * @param lease the lease
     */
    default void acquired(Lease lease) {}

    /**
     * Called when the lock was busy and the method is skipped or its fallback is called; not if the call throws
     * instead.
     */
    default void busy() {}

    /** Called when the work under the lock has completed, normally or not, before the lock is released. */
    default void worked() {}

    /**
     * Called when the call has ended and its lock has been released.
     *
     * @param failure the exception that the caller receives; null if the call returned a result
     */
    default void ended(@Nullable Throwable failure) {}
}
