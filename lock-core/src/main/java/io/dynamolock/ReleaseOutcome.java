/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * What a release found.
 *
 * @since 0.1
 */
public enum ReleaseOutcome {
    /**
     * This lease held the lock, and this release freed it. If an attempt was not answered, that is also concluded from a lease
     * that has not reached its end: nobody else can have had the lock before.
     */
    RELEASED,
    /** Another lease holds the lock now; its row was left untouched. */
    NOT_OWNED,
    /** The lock was free already, or its row is gone. */
    ALREADY_GONE
}
