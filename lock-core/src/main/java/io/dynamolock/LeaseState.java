/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * The state of a lease in its lifecycle.
 *
 * @since 0.1
 */
public enum LeaseState {
    /** Held, and renewals succeed. */
    HELD,
    /** Still held, but the last renewal failed; it is retried until the lease expires. */
    AT_RISK,
    /** No longer held; a lost lease never comes back. */
    LOST,
    /** Released by its holder. */
    RELEASED,
    /** Detached as a {@link LeaseToken}; no longer held here. */
    DETACHED,
    /**
     * Held, but without a lock: locking is off ({@link LockManager#unlocked()}), and others may work at the same time.
     */
    UNLOCKED;

    boolean isHeld() {
        return this == HELD || this == AT_RISK;
    }
}
