/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.util.concurrent.atomic.AtomicLong;

/** A task in a pool's queue. Earlier deadlines, or lower ranks, come first; then first come, first served. */
public record PrioritizedTask(long deadlineNanos, long sequence, Runnable action)
        implements Runnable, Comparable<PrioritizedTask> {

    private static final AtomicLong SEQUENCE = new AtomicLong();

    public PrioritizedTask(long deadlineNanos, Runnable action) {
        this(deadlineNanos, SEQUENCE.incrementAndGet(), action);
    }

    @Override
    public int compareTo(PrioritizedTask other) {
        int byDeadline = Long.signum(deadlineNanos - other.deadlineNanos);
        return byDeadline != 0 ? byDeadline : Long.compare(sequence, other.sequence);
    }

    @Override
    public void run() {
        action.run();
    }
}
