/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.time.Duration;
import java.time.Instant;

/** The clocks and pauses used while a table becomes ready. */
interface Clocks {

    /** The clocks of the machine, with real pauses. */
    Clocks REAL = new Clocks() {
        @Override
        public long nanoTime() {
            return System.nanoTime();
        }

        @Override
        public Instant wallTime() {
            return Instant.now();
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            Thread.sleep(time.toMillis());
        }
    };

    long nanoTime();

    /** This machine's wall clock. */
    Instant wallTime();

    void sleep(Duration time) throws InterruptedException;
}
