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

    /** Whether the table does not exist. */
    private final boolean missing;

    LockTableException(String tableName, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.tableName = tableName;
        this.missing = false;
    }

    /** Creates the exception for a table that does not exist. */
    LockTableException(String tableName, String message) {
        super(message);
        this.tableName = tableName;
        this.missing = true;
    }

    /**
     * Returns the name of the table.
     *
     * @return the table name
     */
    public String tableName() {
        return tableName;
    }

    boolean isMissing() {
        return missing;
    }
}
