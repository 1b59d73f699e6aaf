/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.lang.management.ManagementFactory;

/** A process acquires one lock and ends. */
final class FirstLock {

    private FirstLock() {}

    static void play(Run run) throws Exception {
        HeldLock held = run.locks().tryAcquire("first");
        run.figures().add("millis", ManagementFactory.getRuntimeMXBean().getUptime());
        run.figures().add("requests", run.connection().requests().sent());
        if (held == null) {
            throw new IllegalStateException("a free name is busy");
        }
        held.release();
    }
}
