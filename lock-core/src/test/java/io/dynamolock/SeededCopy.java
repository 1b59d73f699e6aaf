/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;

/** A copy of a module's classes with a seeded fault, where a test is expected to hang. */
public final class SeededCopy {

    /** Name of its class loader. */
    static final String NAME = "seeded";

    private SeededCopy() {}

    public static boolean contains(Class<?> type) {
        return NAME.equals(type.getClassLoader().getName());
    }

    /** Returns the timeout, in the copy of a class, for conditions that are bound to hold. */
    public static Duration timeout(Class<?> type) {
        return contains(type) ? Duration.ofSeconds(5) : Duration.ofMinutes(1);
    }
}
