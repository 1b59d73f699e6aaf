/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The locks of a library, in one process. Thread-safe. */
public interface LockClient {

    /** The pause between attempts where a library itself does not wait. */
    Duration PAUSE = Duration.ofMillis(100);

    /**
     * Tries to acquire a lock, once.
     *
     * @param name the lock name
     * @return the held lock, to be released by the same thread; null if the library reports that it is busy
     * @throws Exception if the library fails
     */
    @Nullable
    HeldLock tryAcquire(String name) throws Exception;

    /**
     * Waits for a lock. By default, a loop tries ten times a second, as the caller of a library without waiting would.
     *
     * @param name the lock name
     * @param atMost how long to wait
     * @return the held lock, to be released by the same thread; null if the library reports that it is still busy
     * @throws Exception if the library fails
     */
    @Nullable
    default HeldLock acquire(String name, Duration atMost) throws Exception {
        long end = System.nanoTime() + atMost.toNanos();
        HeldLock held = tryAcquire(name);
        while (held == null && System.nanoTime() - end < 0) {
            Thread.sleep(PAUSE.toMillis());
            held = tryAcquire(name);
        }
        return held;
    }
}
