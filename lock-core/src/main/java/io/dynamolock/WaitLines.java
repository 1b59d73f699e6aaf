/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lines of those in this JVM who wait for a lock, one per name, first come, first served. Only the first of a line talks to
 * the store, so many waiters cost no more than one; a release in this JVM wakes the first without a poll.
 *
 * <p>Waiters are woken outside of the monitor. Safe for use by many threads.
 */
final class WaitLines {

    private final Map<String, Deque<Waiter>> lines = new HashMap<>();

    /** A place in a line. */
    final class Waiter {

        private final String name;
        private final Runnable wake;
        private boolean handedOver;

        private Waiter(String name, Runnable wake) {
            this.name = name;
            this.wake = wake;
        }

        boolean isFirst() {
            synchronized (WaitLines.this) {
                Deque<Waiter> line = lines.get(name);
                return line != null && line.peekFirst() == this;
            }
        }

        /** Whether the lock was freed in this JVM since this was asked last. */
        boolean takeHandOver() {
            synchronized (WaitLines.this) {
                boolean was = handedOver;
                handedOver = false;
                return was;
            }
        }

        /** Leaves the line; the next one is woken if this was the first. */
        void leave() {
            Waiter next = null;
            synchronized (WaitLines.this) {
                Deque<Waiter> line = lines.get(name);
                if (line == null) {
                    return;
                }
                boolean first = line.peekFirst() == this;
                line.remove(this);
                if (line.isEmpty()) {
                    lines.remove(name);
                } else if (first) {
                    next = line.peekFirst();
                    next.handedOver |= handedOver;
                }
            }
            wake(next);
        }
    }

    /** Joins a line at its end. */
    synchronized Waiter join(String name, Runnable wake) {
        Waiter waiter = new Waiter(name, wake);
        lines.computeIfAbsent(name, unused -> new ArrayDeque<>()).add(waiter);
        return waiter;
    }

    synchronized boolean isWaitedFor(String name) {
        return lines.containsKey(name);
    }

    /** The lock has just become free: wakes the first who waits for it. */
    void handOver(String name) {
        Waiter first;
        synchronized (this) {
            Deque<Waiter> line = lines.get(name);
            first = line == null ? null : line.peekFirst();
            if (first != null) {
                first.handedOver = true;
            }
        }
        wake(first);
    }

    private static void wake(@Nullable Waiter waiter) {
        if (waiter != null) {
            waiter.wake.run();
        }
    }
}
