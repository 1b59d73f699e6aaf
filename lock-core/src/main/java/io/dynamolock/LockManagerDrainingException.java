/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * Thrown if a lock is to be acquired from a lock manager that {@linkplain LockManager#startDraining() drains}, or that
 * starts to drain while a caller waits. Nothing was acquired.
 *
 * @since 0.1
 */
public final class LockManagerDrainingException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    LockManagerDrainingException() {
        super("The lock manager is draining: held leases are kept, new acquisitions are rejected");
    }
}
