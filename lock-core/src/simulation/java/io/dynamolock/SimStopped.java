/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/** Unwinds the threads of a simulated history that has come to its end. */
final class SimStopped extends Error {

    private static final long serialVersionUID = 1;

    SimStopped() {
        super("The history is over", null, false, false);
    }
}
