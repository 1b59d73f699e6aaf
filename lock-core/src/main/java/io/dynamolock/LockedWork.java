/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * Work that runs under a lock and may look at its lease: for the fencing token, or to ask whether it is still held.
 *
 * @param <T> what it returns
 * @since 0.1
 */
@FunctionalInterface
public interface LockedWork<T> {

    /**
     * Does the work.
     *
     * @param lease held when this starts, released after it has ended; not to be kept
     * @return the result
     * @throws Exception what goes wrong, passed on unchanged
     */
    T run(Lease lease) throws Exception;
}
