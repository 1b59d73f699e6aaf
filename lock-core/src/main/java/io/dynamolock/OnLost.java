/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * What happens to the work under a lease that is lost. Whatever it is, the loss is told to callbacks and listeners as well.
 *
 * @since 0.1
 */
public enum OnLost {
    /** The work goes on, and finds out through {@link Lease#isHeld()}, a callback or a listener. */
    EVENT,
    /**
     * Each thread that runs work under the lease, through {@link LockManager#call}, {@link LockManager#tryCall} or {@link
     * LockManager#tryRun}, is interrupted, while it does so. An interrupt that the work did not notice is taken back when the
     * work ends, unless work under an outer lease of the same thread was interrupted, too. Who acquired the lease and works by himself is not known, and not interrupted.
     */
    INTERRUPT,
    /**
     * The application is ended, because it must not go on without the lock: the process exits with status 1, and is halted if its
     * shutdown hooks hang, unless {@link LockManager.Builder#shutdownAction} says otherwise. This waits for no callback or
     * listener. Not if the lease was lost to the closing of its manager.
     */
    SHUTDOWN
}
