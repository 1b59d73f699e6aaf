/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.HashMap;
import java.util.Map;

/**
 * The threads at work under one lease, and how often each has begun. They can be interrupted as long as they are at work; an
 * interrupt of ours that is still pending when a thread ends its work is taken back, since it is about the work.
 */
final class Workers {

    private final Map<Thread, Integer> begun = new HashMap<>();
    private boolean interrupted;

    /** The calling thread begins; if the others were interrupted, so is it. */
    synchronized void enter() {
        begun.merge(Thread.currentThread(), 1, Integer::sum);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void leave() {
        Thread thread = Thread.currentThread();
        if (begun.merge(thread, -1, Integer::sum) == 0) {
            begun.remove(thread);
            if (interrupted) {
                boolean unused = Thread.interrupted();
            }
        }
    }

    /** Interrupts all of them, and those that come. */
    synchronized void interrupt() {
        if (!interrupted) {
            interrupted = true;
            begun.keySet().forEach(Thread::interrupt);
        }
    }

    synchronized boolean isEmpty() {
        return begun.isEmpty();
    }
}
