/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import org.jspecify.annotations.Nullable;

/** Says which property cannot work, why, and what to do about it. */
final class InvalidLockPropertyException extends RuntimeException {

    private final String key;
    private final String problem;
    private final String remedy;

    /**
     * Creates the failure.
     *
     * @param key the full key of the property
     * @param problem what is wrong, with the value unless it is a secret; without a full stop
     * @param remedy what to do, as a sentence
     * @param cause what said so
     */
    InvalidLockPropertyException(String key, String problem, String remedy, @Nullable Throwable cause) {
        super(problem + ". " + remedy, cause);
        this.key = key;
        this.problem = problem;
        this.remedy = remedy;
    }

    String key() {
        return key;
    }

    String problem() {
        return problem;
    }

    String remedy() {
        return remedy;
    }
}
