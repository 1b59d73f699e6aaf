/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * The outcome of a release.
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
    ALREADY_GONE
}
