/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.HashMap;
import java.util.Map;

/**
 * The threads at work under one lease, and how often each has entered. They can be interrupted while they are at work.
 */
final class LeasedThreads {

    private final Map<LeasedThread, Integer> entered = new HashMap<>(2);
    private boolean interrupted;

    /** Enters the calling thread; it is interrupted if the others were. */
    synchronized void enter() {
        LeasedThread thread = LeasedThread.enter();
        entered.merge(thread, 1, Integer::sum);
        if (interrupted) {
            thread.interrupt(this);
        }
    }

    synchronized void leave() {
        LeasedThread thread = LeasedThread.current();
        if (entered.merge(thread, -1, Integer::sum) == 0) {
            entered.remove(thread);
            thread.withdrawInterrupt(this);
        }
        thread.leave();
    }

    /** Whether they were interrupted. */
    synchronized boolean areInterrupted() {
        return interrupted;
    }

    /** Interrupts all of these threads, and those that enter later. */
    synchronized void interrupt() {
        if (!interrupted) {
            interrupted = true;
            entered.keySet().forEach(thread -> thread.interrupt(this));
        }
    }
}
