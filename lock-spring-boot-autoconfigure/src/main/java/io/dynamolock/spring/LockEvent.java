/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.LeaseLost;
import io.dynamolock.ReleaseOutcome;

/**
 * What happens to the locks of this application, as application events for {@code @EventListener} methods. Published on the
 * thread where it happens; a listener that throws harms no lock.
 *
 * @since 0.1
 */
public sealed interface LockEvent {

    /**
     * Returns by whom it is managed.
     *
     * @return the bean name of the lock manager
     */
    String manager();

    /**
     * Returns the lock.
     *
     * @return the lock name
     */
    String lockName();

    /**
     * Returns the holder's token.
     *
     * @return the fencing token of the lease
     */
    long fencingToken();

    /**
     * A lock was acquired.
     *
     * @param manager bean name of its lock manager
     * @param lockName the lock
     * @param fencingToken the token
     */
    record Acquired(String manager, String lockName, long fencingToken) implements LockEvent {}

    /**
     * A lock was given back.
     *
     * @param manager bean name of its lock manager
     * @param lockName the lock
     * @param fencingToken the token
     * @param outcome what the release found
     */
    record Released(String manager, String lockName, long fencingToken, ReleaseOutcome outcome) implements LockEvent {}

    /**
     * A lease was lost; work under it must stop.
     *
     * @param manager bean name of its lock manager
     * @param lockName the lock
     * @param fencingToken the token
     * @param loss why
     */
    record Lost(String manager, String lockName, long fencingToken, LeaseLost loss) implements LockEvent {}

    /**
     * A renewal failed; the lease will be lost if none succeeds before its end.
     *
     * @param manager bean name of its lock manager
     * @param lockName the lock
     * @param fencingToken the token
     * @param failure why
     */
    record RenewalFailed(String manager, String lockName, long fencingToken, Throwable failure) implements LockEvent {}
}
