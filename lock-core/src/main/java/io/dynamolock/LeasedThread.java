/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.HashSet;
import java.util.Set;

/**
 * One thread at work under one or more leases, and which of them have interrupted it. The flag is one for all of them: when
 * the work under one lease ends, its interrupt is taken back, since it is about that work, but not the interrupt of an outer
 * lease, nor one that was pending before the first of these.
 */
final class LeasedThread {

    private static final ThreadLocal<LeasedThread> CURRENT = ThreadLocal.withInitial(LeasedThread::new);

    private final Thread thread = Thread.currentThread();
    private final Set<LeasedThreads> interrupting = new HashSet<>();
    private boolean interruptedElsewhere;
    private int depth;

    /** The calling thread. */
    static LeasedThread current() {
        return CURRENT.get();
    }

    /** The calling thread, which begins to work under one lease more. */
    static LeasedThread begins() {
        LeasedThread current = current();
        current.depth++;
        return current;
    }

    /** The calling thread ends its work under one lease. */
    void ends() {
        depth--;
        if (depth == 0) {
            CURRENT.remove();
        }
    }

    synchronized void interrupt(LeasedThreads lost) {
        if (interrupting.isEmpty()) {
            interruptedElsewhere = thread.isInterrupted();
        }
        interrupting.add(lost);
        thread.interrupt();
    }

    /** Takes the interrupt of one lease back, on the thread itself; those of others stay. */
    synchronized void takeBack(LeasedThreads lost) {
        if (interrupting.remove(lost)) {
            boolean pending = Thread.interrupted();
            if (!interrupting.isEmpty() || (pending && interruptedElsewhere)) {
                thread.interrupt();
            }
        }
    }
}
