/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.List;

/**
 * The threads at work under one lease, each as often as it has entered. They can be interrupted while they are at work.
 */
final class LeasedThreads {

    private final List<LeasedThread> entered = new ArrayList<>(0); // mostly one, and none for a lock that is only kept
    private boolean interrupted;

    /** Enters the calling thread; it is interrupted if the others were. */
    synchronized void enter() {
        LeasedThread thread = LeasedThread.enter();
        entered.add(thread);
        if (interrupted) {
            thread.interrupt(this);
        }
    }

    synchronized void leave() {
        LeasedThread thread = LeasedThread.current();
        entered.remove(thread);
        if (!entered.contains(thread)) {
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
            entered.forEach(thread -> thread.interrupt(this));
        }
    }
}
