/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring;

import org.jspecify.annotations.Nullable;

/**
 * Thrown at startup, before any call, if a {@link DistributedLock} annotation is invalid; and by a call whose result is
 * computed after the method has returned, if the declared return type, such as {@code Object}, does not show that.
 *
 * @since 0.1
 */
public final class InvalidDistributedLockException extends IllegalStateException {

    private final String problem;
    private final String remedy;

    /**
     * Creates the exception.
     *
     * @param where qualified name of the annotated method
     * @param problem what is wrong, without a full stop
     * @param remedy how to fix it
     * @param cause why, or null
     */
    public InvalidDistributedLockException(String where, String problem, String remedy, @Nullable Throwable cause) {
        super("@DistributedLock on " + where + ": " + problem + ". " + remedy, cause);
        this.problem = "@DistributedLock on " + where + ": " + problem;
        this.remedy = remedy;
    }

    /**
     * Returns a description of the problem.
     *
     * @return a sentence without its full stop that names class and method
     */
    public String problem() {
        return problem;
    }

    /**
     * Returns how to fix the problem.
     *
     * @return a sentence
     */
    public String remedy() {
        return remedy;
    }
}
