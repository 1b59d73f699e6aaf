/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

/**
 * Thrown if a table cannot be used for locks, or if that cannot be determined. The message states what was expected,
 * what was found, and the remedy.
 *
 * @since 0.1
 */
public final class LockTableException extends RuntimeException {

    /** The name of the table. */
    private final String tableName;

    /** The kind of problem. */
    private final TableProblem problem;

    LockTableException(String tableName, String message, Throwable cause) {
        super(message, cause);
        this.tableName = tableName;
        this.problem = TableProblem.behind(cause);
    }

    LockTableException(String tableName, String message, TableProblem problem) {
        super(message);
        this.tableName = tableName;
        this.problem = problem;
    }

    /**
     * Returns the name of the table.
     *
     * @return the table name
     */
    public String tableName() {
        return tableName;
    }

    TableProblem problem() {
        return problem;
    }
}
