/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import org.jspecify.annotations.Nullable;

/**
 * Thrown if a table cannot be used for locks, or if that cannot be determined. The message states what was expected,
 * what was found, and the remedy.
 *
 * @since 0.1
 */
public final class LockTableException extends RuntimeException {

    /** The name of the table. */
    private final String tableName;

    LockTableException(String tableName, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.tableName = tableName;
    }

    /**
     * Returns the name of the table.
     *
     * @return the table name
     */
    public String tableName() {
        return tableName;
    }
}
