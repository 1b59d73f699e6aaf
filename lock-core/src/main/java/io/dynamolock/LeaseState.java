/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * Where a lease stands in its life.
 *
 * @since 0.1
 */
public enum LeaseState {
    /** Ours, and renewals succeed. */
    HELD,
    /** Still ours, but the last renewal failed; it is being retried until the lease ends. */
    AT_RISK,
    /** No longer ours; a lost lease never comes back. */
    LOST,
    /** Given back by its holder. */
    RELEASED,
    /** Handed out as a {@link LeaseToken}; no longer held here. */
    DETACHED;

    boolean isOurs() {
        return this == HELD || this == AT_RISK;
    }
}
