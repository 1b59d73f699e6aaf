/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * A lease with the details of its row, for code built on top, such as a condition in a transaction of the application.
 *
 * @since 0.1
 */
public interface StoredLease extends Lease {

    /**
     * Returns the store that has the row.
     *
     * @return the store of the manager that issued this lease
     */
    LockStore store();

    /**
     * Returns the name of the row in the store.
     *
     * @return the lock name with the manager's prefix
     */
    String storedName();
}
