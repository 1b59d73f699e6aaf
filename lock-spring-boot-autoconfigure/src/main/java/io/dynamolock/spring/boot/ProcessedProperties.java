/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

/**
 * Rejects properties whose value decided about beans when the application was processed ahead of time, and is another
 * one now: Spring evaluates conditions once, so an application would silently lock in memory, or not at all.
 */
final class ProcessedProperties {

    private ProcessedProperties() {}

    /**
     * Requires a property to have the value with which the application was processed.
     *
     * @param same whether it has
     * @param key the key below {@code dynamolock}
     * @param processed that value, as it follows "was"
     */
    static void requireUnchanged(boolean same, String key, String processed) {
        if (!same) {
            throw PropertyKeys.DEFAULT.rejection(
                    "{%s} was %s when the application was processed ahead of time, and cannot be changed afterwards"
                            .formatted(key, processed),
                    "Process the application with the profiles and properties with which it runs, or start it with"
                            + " spring.aot.enabled=false.",
                    null);
        }
    }
}
