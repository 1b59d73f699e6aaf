/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * A lease as its store knows it: for what a store offers beside locking, such as a condition in a transaction of the user's.
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
}
