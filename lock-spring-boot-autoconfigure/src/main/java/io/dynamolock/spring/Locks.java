/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import java.util.Optional;

/**
 * Access to the lock that the current code runs under, for {@link DistributedLock @DistributedLock} methods.
 *
 * @since 0.1
 */
public final class Locks {

    private Locks() {}

    /**
     * Returns the lease of the innermost locked method that runs on this thread, for example for its fencing token.
     * This includes a locked method whose coroutine it runs, and with Micrometer's context propagation one on whose behalf
     * it runs.
     *
     * @return the lease; empty outside of locked methods, including one that was called on {@code this}
     */
    public static Optional<Lease> current() {
        LockScope scope = LockScope.current();
        return scope == null ? Optional.empty() : Optional.of(scope.lease());
    }

    /**
     * Asserts that this thread runs under a lock that is still held. At the start of a method, it detects a call on
     * {@code this}, which bypasses the lock, unless the caller runs under another lock, which then counts: compare
     * {@code current()} with the name. Before a step that must not happen twice, it detects a lease that was lost in the
     * meantime.
     *
     * @throws IllegalStateException if no locked method runs on this thread
     * @throws LeaseLostException if its lease is lost
     */
    public static void assertHeld() {
        current()
                .orElseThrow(() -> new IllegalStateException("No lock is held on this thread: a @DistributedLock method"
                        + " acquires its lock only when called through the bean's proxy, not on 'this', and work on other"
                        + " threads needs the lease of the method, as a parameter"))
                .ensureHeld();
    }
}
