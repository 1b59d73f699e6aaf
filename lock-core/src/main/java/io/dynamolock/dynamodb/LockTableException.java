/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import org.jspecify.annotations.Nullable;

/**
 * Says that a table cannot be used for locks, or that this could not be found out. The message tells what was expected, what is
 * there, and what to do about it.
 *
 * @since 0.1
 */
public final class LockTableException extends RuntimeException {

    /** The table that this is about. */
    private final String tableName;

    LockTableException(String tableName, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.tableName = tableName;
    }

    /**
     * Returns the table that this is about.
     *
     * @return its name
     */
    public String tableName() {
        return tableName;
    }
}
