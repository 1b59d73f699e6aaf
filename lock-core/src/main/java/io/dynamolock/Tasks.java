/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;

/** Where and when the engine's own work runs. The engine starts no thread by itself. */
interface Tasks {

    /** Something scheduled that may be called off. */
    interface Scheduled {

        /** Never runs it from now on, unless it is running already. */
        void cancel();
    }

    /** Calls quick code at a moment of the monotonic clock. */
    Scheduled at(long nanos, Runnable action);

    /** Runs a renewal, or what must not wait behind one; the most urgent first. */
    void beat(long deadlineNanos, Runnable action);

    /** Runs a request for somebody who does not wait for it on a thread. Returns false if it takes no work any more. */
    boolean work(Runnable action);

    /** Limits how many renewals, and how many requests for others, run at once; what has begun, or begins just now, goes on. */
    void limit(int atOnce);

    /** Runs other people's code. Returns false if it takes no work any more. */
    boolean tell(Runnable action);

    /** A wait for the thread that asks. */
    Pause pause();

    /** Stops taking work, lets what runs come to its end, and returns when no thread is left or the time is over. */
    void close(Duration patience);
}
