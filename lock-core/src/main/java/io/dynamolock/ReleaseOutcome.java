/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * The outcome of a release. A lease that was lost before its release is never {@link #RELEASED}.
 *
 * @since 0.1
 */
public enum ReleaseOutcome {
    /**
     * This lease held the lock, and this release freed it. If an attempt got no response, this is also inferred from a
     * lease that has not expired: no other process can have held the lock before.
     */
    RELEASED,
    /** Another lease holds the lock now; its row was not changed. */
    NOT_OWNED,
    /** The lock was already free, or its row no longer exists. */
    ALREADY_GONE,
    /**
     * The lease had been lost before, and nobody else was seen to hold the lock: the lease had expired, was revoked, or
     * its manager was closed. What was left of it in the row was removed, unless the store failed, which is not
     * reported, as the lease expires by itself.
     */
    LOST
}
