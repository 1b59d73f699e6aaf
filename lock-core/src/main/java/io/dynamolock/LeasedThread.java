/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.List;

/**
 * One thread at work under one or more leases, and the leases that have interrupted it. All of them share the thread's
 * interrupt flag: when the work under one lease ends, its interrupt is withdrawn, since it concerns only that work. The
 * interrupt of an outer lease stays, as does one that was pending before the first of these.
 */
final class LeasedThread {

    private static final ThreadLocal<LeasedThread> CURRENT = ThreadLocal.withInitial(LeasedThread::new);

    private final Thread thread = Thread.currentThread();
    private final List<LeasedThreads> interrupting = new ArrayList<>(0);
    private boolean interruptedBefore;
    private int depth;

    /** Returns the calling thread. */
    static LeasedThread current() {
        return CURRENT.get();
    }

    /** Returns the calling thread, which enters the work under one more lease. */
    static LeasedThread enter() {
        LeasedThread current = current();
        current.depth++;
        return current;
    }

    /** Ends the calling thread's work under one lease. */
    void leave() {
        depth--;
        if (depth == 0) {
            CURRENT.remove();
        }
    }

    synchronized void interrupt(LeasedThreads lost) {
        if (interrupting.isEmpty()) {
            interruptedBefore = thread.isInterrupted();
        }
        if (!interrupting.contains(lost)) {
            interrupting.add(lost);
            thread.interrupt();
        }
    }

    /** Withdraws the interrupt of one lease, on the thread itself; the interrupts of other leases stay. */
    synchronized void withdrawInterrupt(LeasedThreads lost) {
        if (interrupting.remove(lost)) {
            boolean pending = Thread.interrupted();
            if (!interrupting.isEmpty() || (pending && interruptedBefore)) {
                thread.interrupt();
            }
        }
    }
}
