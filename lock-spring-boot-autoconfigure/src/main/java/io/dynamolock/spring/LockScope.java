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
 * @since 0.1
 */
public final class LockScope {

    /** Key under which a Reactor context carries the current scope. */
    public static final String CONTEXT_KEY = Locks.class.getName();

    private static final ThreadLocal<@Nullable LockScope> CURRENT = new ThreadLocal<>();

    private final Lease lease;
    private final @Nullable LockScope outer;
    private volatile boolean ended;

    /**
     * Creates a scope.
     *
     * @param lease the lease of the innermost method
     * @param outer the enclosing method's scope; null if there is none
     */
    public LockScope(Lease lease, @Nullable LockScope outer) {
        this.lease = lease;
        this.outer = outer;
    }

    /**
     * Returns the lease of the innermost method.
     *
     * @return its lease
     */
    public Lease lease() {
        return lease;
    }

    /**
     * Returns the scope of the nearest enclosing method that has not {@linkplain #end ended}.
     *
     * @return the enclosing scope; null if there is none
     */
    public @Nullable LockScope outer() {
        return open(outer);
    }

    /** Ends a scope that others may know for longer than its method runs, from the Reactor context. */
    public void end() {
        ended = true;
    }

    /**
     * Returns the first of a scope and its enclosing ones that has not {@linkplain #end ended}.
     *
     * @param scope the scope to begin with
     * @return the scope; null if all have ended
     */
    public static @Nullable LockScope open(@Nullable LockScope scope) {
        LockScope open = scope;
        while (open != null && open.ended) {
            open = open.outer;
        }
        return open;
    }

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
