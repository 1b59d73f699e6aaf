/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Measures the scheduling delays of the machine until closed. */
final class Stalls implements AutoCloseable {

    private static final long TICK_NANOS = 1_000_000;

    /** Wake-up delay of a sleeping thread that is normal on any machine. */
    private static final long USUAL_NANOS = 5 * TICK_NANOS;

    private final AtomicLong totalNanos = new AtomicLong();
    private final Thread thread = new Thread(this::tick, "stalls");
    private volatile boolean closed;

    Stalls() {
        thread.setDaemon(true);
        thread.start();
    }

    private void tick() {
        long last = System.nanoTime();
        while (!closed) {
            LockSupport.parkNanos(TICK_NANOS);
            long now = System.nanoTime();
            if (now - last > USUAL_NANOS) {
                totalNanos.addAndGet(now - last - TICK_NANOS);
            }
            last = now;
        }
    }

    /** Returns the sum of all delays so far. */
    Duration total() {
        return Duration.ofNanos(totalNanos.get());
    }

    @Override
    public void close() {
        closed = true;
    }
}
