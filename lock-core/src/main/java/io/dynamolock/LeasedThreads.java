/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.HashMap;
import java.util.Map;

/** The threads at work under one lease, and how often each has begun. They can be interrupted as long as they are at work. */
final class LeasedThreads {

    private final Map<LeasedThread, Integer> begun = new HashMap<>();
    private boolean interrupted;

    /** The calling thread begins; if the others were interrupted, so is it. */
    synchronized void enter() {
        LeasedThread thread = LeasedThread.begins();
        begun.merge(thread, 1, Integer::sum);
        if (interrupted) {
            thread.interrupt(this);
        }
    }

    synchronized void leave() {
        LeasedThread thread = LeasedThread.current();
        if (begun.merge(thread, -1, Integer::sum) == 0) {
            begun.remove(thread);
            thread.takeBack(this);
        }
        thread.ends();
    }

    /** Interrupts all of them, and those that come. */
    synchronized void interrupt() {
        if (!interrupted) {
            interrupted = true;
            begun.keySet().forEach(thread -> thread.interrupt(this));
        }
    }
}
