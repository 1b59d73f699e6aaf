/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import io.dynamolock.Lease;
import org.jspecify.annotations.Nullable;

/**
 * Locked methods that the current thread is in, linked from the innermost outwards. The advice and Micrometer's context
 * propagation maintain it; applications read it through {@link Locks}.
 *
 * @param lease the lease of the innermost method
 * @param outer the enclosing method's scope; null if there is none
 * @since 0.1
 */
public record LockScope(Lease lease, @Nullable LockScope outer) {

    /** Key under which a Reactor context carries the current scope. */
    public static final String CONTEXT_KEY = Locks.class.getName();

    private static final ThreadLocal<@Nullable LockScope> CURRENT = new ThreadLocal<>();

    /**
     * Makes a lease the innermost one of this thread.
     *
     * @param lease the lease of the method that is entered
     * @return the scope, to be left at the end of the method
     */
    public static LockScope enter(Lease lease) {
        LockScope entered = new LockScope(lease, CURRENT.get());
        CURRENT.set(entered);
        return entered;
    }

    /** Makes the enclosing scope the current one of this thread, whatever the method has left on it. */
    public void leave() {
        restore(outer);
    }

    /**
     * Returns the scope of the innermost locked method that this thread is in.
     *
     * @return the scope; null outside of locked methods
     */
    public static @Nullable LockScope current() {
        return CURRENT.get();
    }

    /**
     * Sets the scope of this thread.
     *
     * @param scope the scope of the innermost locked method; null for none
     */
    public static void restore(@Nullable LockScope scope) {
        if (scope == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(scope);
        }
    }
}
