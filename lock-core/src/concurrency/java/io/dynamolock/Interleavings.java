/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.time.StoreAvailability;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * Runs a few operations on a few threads in each possible interleaving, and accepts only results that some sequential order
 * produces as well.
 */
final class Interleavings {

    private Interleavings() {}

    /** Checks the operations of a class, with a new instance for each run. */
    static void check(Class<?> operations) {
        options(2, 20, 1_000).actorsBefore(1).actorsAfter(1).check(operations);
    }

    /**
     * Checks operations that take many steps.
     *
     * @param operations their class
     * @param each how many of them each of two threads does; one is done afterwards
     * @param scenarios how many choices of operations are tried
     * @param orders in how many orders of the threads each of them is
     */
    static void check(Class<?> operations, int each, int scenarios, int orders) {
        options(each, scenarios, orders)
                .actorsBefore(0)
                .actorsAfter(1)
                .addGuarantee(forClasses(
                                InMemoryLockStore.class.getName(),
                                StoreAvailability.class.getName(),
                                CorruptRowWarnings.class.getName(),
                                Observations.class.getName(),
                                FencingTokens.class.getName(),
                                WallLeaseClock.class.getName())
                        .allMethods()
                        .treatAsAtomic())
                .check(operations);
    }

    private static ModelCheckingOptions options(int operationsEach, int scenarios, int orders) {
        return new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(operationsEach)
                .iterations(scenarios)
                .invocationsPerIteration(orders);
    }
}
