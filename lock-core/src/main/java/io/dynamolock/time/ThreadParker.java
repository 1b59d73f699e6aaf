/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The wait of a real thread, and the one place where the machine's monotonic clock is read. */
public final class ThreadParker implements Parker {

    private final Semaphore woken = new Semaphore(0);

    /** Returns the machine's monotonic clock, which a test may replace. */
    public static long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void wake() {
        woken.release();
    }

    @Override
    public void await(long nanos) throws InterruptedException {
        if (woken.tryAcquire(Math.max(0, nanos), TimeUnit.NANOSECONDS)) {
            woken.drainPermits();
        }
    }

    @Override
    public long nanos() {
        return nanoTime();
    }
}
