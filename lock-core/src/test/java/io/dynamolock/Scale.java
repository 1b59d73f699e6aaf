/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/** Scale of the long tests: a part in each build, all of it in the profile {@code proof}. */
public final class Scale {

    /** Histories of the simulation, and requests to the emulated table: GUARANTEES.md has these figures. */
    public static final long HISTORIES = 1_000;

    public static final long HISTORIES_OF_PROOF = 30_000;
    public static final int REQUESTS = 500;
    public static final int REQUESTS_OF_PROOF = 10_000;

    private Scale() {}

    /** Returns whether tests run at full scale. Tests that call this have the tag {@code scaled}. */
    public static boolean isFull() {
        return Boolean.getBoolean("proof.full");
    }

    /** Returns the first number in a normal build, the second one at full scale. */
    public static long of(long part, long full) {
        return isFull() ? full : part;
    }
}
