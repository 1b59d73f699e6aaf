/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.leader;

/** Thrown at startup if an {@link io.dynamolock.spring.OnlyOnLeader} annotation cannot work. */
final class InvalidOnlyOnLeaderException extends IllegalStateException {

    private final String problem;
    private final String remedy;

    /**
     * Creates the exception.
     *
     * @param where qualified name of the annotated method
     * @param problem what is wrong, without a full stop
     * @param remedy how to fix it, without a full stop
     */
    InvalidOnlyOnLeaderException(String where, String problem, String remedy) {
        super("@OnlyOnLeader on %s: %s. %s".formatted(where, problem, remedy));
        this.problem = "@OnlyOnLeader on %s: %s".formatted(where, problem);
        this.remedy = remedy;
    }

    String problem() {
        return problem;
    }

    String remedy() {
        return remedy;
    }
}
