/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import java.util.Optional;

/**
 * What the code of a {@link DistributedLock @DistributedLock} method can ask about the lock it runs under.
 *
 * @since 0.1
 */
public final class Locks {

    private Locks() {}

    /**
     * Returns the lease of the innermost locked method that runs on this thread: for its fencing token, for example. Where
     * Micrometer's context propagation is at work, also of one that this thread works for.
     *
     * @return empty outside of locked methods, also in one that was called on {@code this}
     */
    public static Optional<Lease> current() {
        LockScope scope = LockScope.current();
        return scope == null ? Optional.empty() : Optional.of(scope.lease());
    }

    /**
     * Makes sure that a lock is held here. At the start of a method it notices that the method was called on {@code this}, past
     * its lock; before a step that must not happen twice it notices a lease that was lost meanwhile.
     *
     * @throws IllegalStateException if no locked method runs on this thread
     * @throws LeaseLostException if its lease is lost
     */
    public static void assertHeld() {
        current()
                .orElseThrow(() -> new IllegalStateException("No lock is held on this thread: a @DistributedLock method"
                        + " takes its lock only if it is called through the bean, not on 'this'"))
                .ensureHeld();
    }
}
