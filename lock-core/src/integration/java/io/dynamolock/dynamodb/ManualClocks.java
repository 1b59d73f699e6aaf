/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Time that advances only while a thread sleeps. */
final class ManualClocks implements Clocks {

    private final List<Duration> pauses = new ArrayList<>();
    private Duration now = Duration.ZERO;
    private Duration excess = Duration.ZERO;
    private boolean interrupted;

    List<Duration> pauses() {
        return pauses;
    }

    /** Interrupts all further sleeps. */
    void interrupt() {
        interrupted = true;
    }

    /** Lets each further sleep take longer than it should. */
    void oversleep(Duration excess) {
        this.excess = excess;
    }

    @Override
    public long nanoTime() {
        return now.toNanos();
    }

    @Override
    public Instant wallTime() {
        return Instant.EPOCH.plus(now);
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        if (interrupted) {
            throw new InterruptedException();
        }
        pauses.add(time);
        now = now.plusMillis(time.toMillis()).plus(excess); // as Thread.sleep(long)
    }
}
