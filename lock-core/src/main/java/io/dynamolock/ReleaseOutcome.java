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
    /** The lock was ours and this release freed it. */
    RELEASED,
    /** Somebody else holds the lock now; their row was left untouched. */
    NOT_OWNED,
    /** The lock was free already, or its row is gone. */
    ALREADY_GONE
}
