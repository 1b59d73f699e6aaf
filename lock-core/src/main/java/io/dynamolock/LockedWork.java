/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * Work that runs under a lock and uses its lease: for the fencing token, or to check whether the lock is still held.
 *
 * @param <T> the type of the result
 * @since 0.1
 */
@FunctionalInterface
public interface LockedWork<T> {

    /**
     * Runs the work.
     *
     * @param lease held when the work starts, released after it has ended; must not be kept
     * @return the result
     * @throws Exception any failure of the work, passed on unchanged unless the lease was lost
     */
    T run(Lease lease) throws Exception;
}
