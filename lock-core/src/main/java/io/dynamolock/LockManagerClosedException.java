/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/**
 * Says that a lock manager was asked for something after it was closed, or while a caller waited.
 *
 * @since 0.1
 */
public final class LockManagerClosedException extends IllegalStateException {

    private static final long serialVersionUID = 1L;

    LockManagerClosedException() {
        super("The lock manager is closed");
    }
}
