/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** The one place where the machine's clock is read and where a caller's thread waits: until it is woken, until a time is over, or until it is interrupted. */
final class Pause {

    private final Semaphore woken = new Semaphore(0);

    /** The machine's monotonic clock, unless a test brings its own. */
    static long nanoTime() {
        return System.nanoTime();
    }

    void wake() {
        woken.release();
    }

    void await(long nanos) throws InterruptedException {
        if (woken.tryAcquire(Math.max(0, nanos), TimeUnit.NANOSECONDS)) {
            woken.drainPermits();
        }
    }

    /** Waits for the whole time, and tells whether the thread was interrupted meanwhile; its flag is cleared. */
    static boolean uninterruptibly(Duration time) {
        boolean interrupted = false;
        long end = nanoTime() + Durations.nanos(time);
        while (true) {
            try {
                TimeUnit.NANOSECONDS.sleep(end - nanoTime());
                return interrupted;
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
    }
}
