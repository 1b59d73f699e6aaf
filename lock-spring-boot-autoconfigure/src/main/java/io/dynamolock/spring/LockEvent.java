/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.LeaseLost;
import io.dynamolock.ReleaseOutcome;

/**
 * Application event about a lock of this application, for {@code @EventListener} methods. It is published on the thread
 * on which it occurs. An exception from an event listener does not affect the lock.
 *
 * @since 0.1
 */
public sealed interface LockEvent {

    /**
     * Returns the lock manager.
     *
     * @return the bean name of the lock manager; of a call that its condition skipped, the name as written if it cannot
     *     be determined
     */
    String manager();

    /**
     * Returns the name of the lock.
     *
     * @return the lock name; of a call that did not run and needs several locks, their names, separated by
     *     {@code ", "}; of a call that its condition skipped, the template if it cannot be evaluated
     */
    String lockName();

    /** Event about a lease. */
    sealed interface OfLease extends LockEvent {

        /**
         * Returns the fencing token.
         *
         * @return the fencing token of the lease
         */
        long fencingToken();
    }

    /** Reason why a call did not run. */
    enum Reason {
        /** Another lease held the lock until the end of the wait time. */
        BUSY,
        /** The condition of the annotation was false. */
        CONDITION,
        /** The lock manager was {@linkplain io.dynamolock.LockManager#startDraining() draining}. */
        DRAINING,
        /** The lock manager was closed, although the application was not stopping. */
        CLOSED,
        /** The application was stopping. */
        STOPPING
    }

    /**
     * Published when a lock has been acquired.
     *
     * @param manager bean name of its lock manager
     * @param lockName the lock
     * @param fencingToken the token
     */
    record Acquired(String manager, String lockName, long fencingToken) implements OfLease {}

    /**
     * Published when a lock has been released.
     *
     * @param manager bean name of its lock manager
     * @param lockName the lock
     * @param fencingToken the token
     * @param outcome the result of the release
     */
    record Released(String manager, String lockName, long fencingToken, ReleaseOutcome outcome) implements OfLease {}

    /**
     * Published when a lease was lost: work under it must stop.
     *
     * @param manager bean name of its lock manager
     * @param lockName the lock
     * @param fencingToken the token
     * @param loss the loss and its reason
     */
    record Lost(String manager, String lockName, long fencingToken, LeaseLost loss) implements OfLease {}

    /**
     * Published when a renewal failed: the lease is lost unless a later renewal succeeds before it expires.
     *
     * @param manager bean name of its lock manager
     * @param lockName the lock
     * @param fencingToken the token
     * @param failure the cause
     */
    record RenewalFailed(String manager, String lockName, long fencingToken, Throwable failure) implements OfLease {}

    /**
     * Published when a locked method did not run, before its caller gets an empty result, or its fallback is called.
     *
     * @param manager bean name of its lock manager
     * @param lockName the lock, or the several locks
     * @param method class and name of the method
     * @param reason the reason
     */
    record Skipped(String manager, String lockName, String method, Reason reason) implements LockEvent {}

    /**
     * Published when neither a locked method nor its fallback ran, before its caller gets an exception.
     *
     * @param manager bean name of its lock manager
     * @param lockName the lock, or the several locks
     * @param method class and name of the method
     * @param reason the reason
     */
    record Rejected(String manager, String lockName, String method, Reason reason) implements LockEvent {}
}
