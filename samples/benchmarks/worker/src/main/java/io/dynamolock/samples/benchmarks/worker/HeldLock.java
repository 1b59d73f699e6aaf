/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

/** An acquired lock. */
public interface HeldLock {

    /**
     * Asks the library.
     *
     * @return whether it considers the lock as held
     */
    boolean isHeld();

    /** Releases it. */
    void release();
}
