/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * Runs a few operations on a few threads in each order that threads can run in, and accepts only results that some order without
 * overlap gives as well.
 */
final class Interleavings {

    private Interleavings() {}

    /** Checks the operations of a class, a new instance of which each run begins with. */
    static void check(Class<?> operations) {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(2)
                .actorsBefore(1)
                .actorsAfter(1)
                .iterations(20)
                .invocationsPerIteration(1_000)
                .check(operations);
    }
}
