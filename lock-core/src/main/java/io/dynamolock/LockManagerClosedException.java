/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * Thrown if a lock manager is used after it was closed, or is closed while a caller waits.
 *
 * @since 0.1
 */
public final class LockManagerClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    LockManagerClosedException() {
        super("The lock manager is closed");
    }
}
