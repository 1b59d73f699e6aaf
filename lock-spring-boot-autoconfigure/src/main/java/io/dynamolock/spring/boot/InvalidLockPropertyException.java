/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;

/** Thrown at startup if a property is invalid. Names the property, the problem and a remedy. */
final class InvalidLockPropertyException extends RuntimeException {

    private final String problem;
    private final String remedy;

    /**
     * Creates the exception.
     *
     * @param problem the problem, with the full key of the property and the value unless it is a secret; without a full stop
     * @param remedy how to fix it, as a sentence
     * @param cause the exception that reported the problem; may be null
     */
    InvalidLockPropertyException(String problem, String remedy, @Nullable Throwable cause) {
        super(problem + ". " + remedy, cause);
        this.problem = problem;
        this.remedy = remedy;
    }

    /** Returns the exception for beans of a type of which one is needed. */
    static InvalidLockPropertyException several(String type, NoUniqueBeanDefinitionException several, String remedy) {
        return new InvalidLockPropertyException(
                several.getBeanNamesFound() == null
                        ? "There is more than one primary %s bean (%s)".formatted(type, several.getMessage())
                        : "There is more than one %s bean, and none of them is primary (%s)"
                                .formatted(type, several.getBeanNamesFound()),
                remedy,
                several);
    }

    String problem() {
        return problem;
    }

    String remedy() {
        return remedy;
    }
}
