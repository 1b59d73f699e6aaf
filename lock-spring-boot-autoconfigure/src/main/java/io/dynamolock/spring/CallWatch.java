/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.Lease;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Is told what becomes of one call of a locked method: {@link #acquired} and {@link #worked} or {@link #busy} or neither, and
 * {@link #ended} in any case, in this order, on whatever thread it happens.
 *
 * @since 0.1
 */
public interface CallWatch {

    /** Is not interested. */
    CallWatch NONE = new CallWatch() {};

    /** What makes a call the current one of a thread, to be closed on that thread. */
    @FunctionalInterface
    interface Scope extends AutoCloseable {

        /** Changes nothing. */
        Scope NONE = () -> {};

        @Override
        void close();
    }

    /**
     * Makes the call the current one of this thread: what is traced here until the scope is closed belongs to it.
     *
     * @return to be closed on this thread, innermost first
     */
    default Scope enter() {
        return Scope.NONE;
    }

    /**
     * Returns what makes the call the current one of a reactive pipeline.
     *
     * @return entries for its Reactor context
     */
    default Map<Object, Object> context() {
        return Map.of();
    }

    /**
     * The lock is held, the method is entered next.
     *
     * @param lease the lease
     */
    default void acquired(Lease lease) {}

    /** The lock was busy, and the method is skipped. A call that throws because of it just ends. */
    default void busy() {}

    /** The work under the lock is over, well or not; the lock is released next. */
    default void worked() {}

    /**
     * The call is over, and its lock given back.
     *
     * @param failure what the caller gets instead of a result; null if there is one
     */
    default void ended(@Nullable Throwable failure) {}
}
