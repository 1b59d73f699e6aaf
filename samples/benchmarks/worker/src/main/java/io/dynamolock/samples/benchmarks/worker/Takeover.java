/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.time.Duration;

/** One process is killed while it holds a lock, and another takes over. */
final class Takeover {

    private Takeover() {}

    static void victim(Run run) throws Exception {
        run.acquire(run.arguments().text("name"), Duration.ofMinutes(1));
        run.awaitStart(); // until it is killed
    }

    static void rival(Run run) throws Exception {
        run.acquire("own", Duration.ofMinutes(1)).release();
        run.awaitStart();
        run.acquire(run.arguments().text("name"), Duration.ofMinutes(1));
        run.figures().add("acquired", Run.now());
    }
}
