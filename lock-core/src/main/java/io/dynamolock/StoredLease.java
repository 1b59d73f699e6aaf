/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * A lease as its manager knows it: for what is built on top, such as a condition in a transaction of the user's.
 *
 * @since 0.1
 */
public interface StoredLease extends Lease {

    /**
     * Returns where the row is.
     *
     * @return the store of the manager that gave this lease
     */
    LockStore store();

    /**
     * Returns how the row is called there.
     *
     * @return the lock name with the manager's prefix
     */
    String storedName();

    /**
     * Returns what is to happen to the work under it if it is lost. The manager interrupts threads by itself; work that is no
     * thread's has to be stopped by whoever runs it.
     *
     * @return as the request said, or the manager's default
     */
    OnLost policy();
}
