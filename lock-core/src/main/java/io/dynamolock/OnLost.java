/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * What happens to the work under a lost lease, in addition to the notification of callbacks and listeners.
 *
 * <p>With every constant but {@link #EVENT}, the caller of work that has ended under a lost lease gets a
 * {@link LeaseLostException} instead of the result of the work; the exception of the work, if there is one, is
 * suppressed in it. This applies to {@link LockOperations#call}, {@link LockOperations#tryCall} and
 * {@link LockOperations#tryRun}. A caller of {@link LockManager#acquire} finds the loss by {@link Lease#isHeld()} or
 * {@link Lease#ensureHeld()}; {@link Lease#close()} never throws for it.
 *
 * @since 0.1
 */
public enum OnLost {
    /**
     * As the manager's settings define, which is {@link #THROW} by default. For requests only: in the settings
     * themselves, it is rejected.
     */
    DEFAULT,
    /**
     * The work goes on, and can detect the loss through {@link Lease#isHeld()}, a callback or a listener; when it has
     * ended, its caller gets a {@link LeaseLostException}.
     */
    THROW,
    /** Only notifies: the work goes on, and its caller gets its result or exception, as without a loss. */
    EVENT,
    /**
     * As {@link #THROW}, and interrupts each thread that runs work under the lease through {@link LockOperations#call},
     * {@link LockOperations#tryCall} or {@link LockOperations#tryRun}, while it does so. An interrupt that the work did
     * not notice is cleared when the work ends, unless work under an outer lease of the same thread was interrupted as
     * well. A thread that works under an acquired lease in any other way is not known to the manager, and is not
     * interrupted.
     */
    INTERRUPT,
    /**
     * As {@link #THROW}, and ends the application, for one that must not go on without the lock: the process exits with
     * status 1, and is halted if its shutdown hooks hang, unless {@link LockManagerBuilder#shutdownAction} replaces
     * this. Does so, too, if one of several locks is lost while the others are awaited, although no work has begun.
     * Does not wait for callbacks or listeners. Does not end the application for a lease that was lost because
     * its manager was closed.
     */
    SHUTDOWN
}
