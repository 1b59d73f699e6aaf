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
     * @return the bean name of the lock manager
     */
    String manager();

    /**
     * Returns the name of the lock.
     *
     * @return the lock name
     */
    String lockName();

    /**
     * Returns the fencing token.
     *
     * @return the fencing token of the lease
     */
    long fencingToken();

    /**
     * Published when a lock has been acquired.
     *
     * @param manager bean name of its lock manager
     * @param lockName the lock
     * @param fencingToken the token
     */
    record Acquired(String manager, String lockName, long fencingToken) implements LockEvent {}

    /**
     * Published when a lock has been released.
     *
     * @param manager bean name of its lock manager
     * @param lockName the lock
     * @param fencingToken the token
     * @param outcome the result of the release
     */
    record Released(String manager, String lockName, long fencingToken, ReleaseOutcome outcome) implements LockEvent {}

    /**
     * Published when a lease was lost: work under it must stop.
     *
     * @param manager bean name of its lock manager
     * @param lockName the lock
     * @param fencingToken the token
     * @param loss the loss and its reason
     */
    record Lost(String manager, String lockName, long fencingToken, LeaseLost loss) implements LockEvent {}

    /**
     * Published when a renewal failed: the lease is lost unless a later renewal succeeds before it expires.
     *
     * @param manager bean name of its lock manager
     * @param lockName the lock
     * @param fencingToken the token
     * @param failure the cause
     */
    record RenewalFailed(String manager, String lockName, long fencingToken, Throwable failure) implements LockEvent {}
}
