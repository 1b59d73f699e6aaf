/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** A pause of a real thread, and the one place where the machine's monotonic clock is read. */
final class ThreadParker implements Parker {

    private final Semaphore woken = new Semaphore(0);

    /** The machine's monotonic clock, unless a test brings its own. */
    static long nanoTime() {
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
