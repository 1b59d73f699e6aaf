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
 * the store, so many waiters cost no more than one; another stands in if the first has not asked for too long, as it may have
 * no thread. A release in this JVM wakes the first without a poll.
 *
 * <p>Waiters are woken outside of the monitor. Safe for use by many threads.
 */
final class LocalWaitQueues {

    private final Map<String, Line> lines = new HashMap<>();

    private static final class Line {
        private final Deque<Waiter> waiters = new ArrayDeque<>();
        private @Nullable LockRow held;
        private @Nullable Long heldNanos;
        private @Nullable Long askedNanos;
    }

    /** A place in a line. */
    final class Waiter {

        private final String name;
        private final Runnable wake;
        private boolean handedOff;
        private boolean owesHandOff;

        private Waiter(String name, Runnable wake) {
            this.name = name;
            this.wake = wake;
        }

        boolean isFirst() {
            synchronized (LocalWaitQueues.this) {
                Line line = lines.get(name);
                return line != null && line.waiters.peekFirst() == this;
            }
        }

        /** Whether the lock was freed in this JVM since this was asked last. */
        boolean takeHandOff() {
            synchronized (LocalWaitQueues.this) {
                boolean was = handedOff;
                handedOff = false;
                owesHandOff |= was;
                return was;
            }
        }

        /** A request about this lock is about to be sent. */
        void asks(long nanos) {
            synchronized (LocalWaitQueues.this) {
                Line line = lines.get(name);
                if (line != null) {
                    line.askedNanos = nanos;
                }
            }
        }

        /**
         * When somebody else than the first is to ask, because nobody has for so long.
         *
         * @param nowNanos counts as asked if nobody has asked at all
         */
        long missingAtNanos(long nowNanos, long patienceNanos) {
            synchronized (LocalWaitQueues.this) {
                Line line = lines.get(name);
                if (line == null) {
                    return nowNanos + patienceNanos;
                }
                if (line.askedNanos == null) {
                    line.askedNanos = nowNanos;
                }
                return line.askedNanos + patienceNanos;
            }
        }

        /** Whether it is to ask now because nobody has for so long; then the others need not. */
        boolean pollsForFirst(long nowNanos, long patienceNanos) {
            synchronized (LocalWaitQueues.this) {
                boolean missing = nowNanos - missingAtNanos(nowNanos, patienceNanos) >= 0;
                if (missing) {
                    asks(nowNanos);
                }
                return missing;
            }
        }

        /** Tells those behind what the row looked like, in the answer to a request that was sent at that moment. */
        void saw(LockRow row, long askedNanos) {
            synchronized (LocalWaitQueues.this) {
                owesHandOff = false;
                Line line = lines.get(name);
                if (line != null && !row.isFree()) {
                    line.held = row;
                    line.heldNanos = askedNanos;
                }
            }
        }

        /** Whether somebody in this line has asked since that moment and found the lock held. */
        boolean sawItHeldSince(long nanos) {
            synchronized (LocalWaitQueues.this) {
                Line line = lines.get(name);
                return line != null && line.heldNanos != null && line.heldNanos - nanos >= 0;
            }
        }

        /** The row as somebody in this line last saw it held; null if nobody did. */
        @Nullable
        LockRow lastHeld() {
            synchronized (LocalWaitQueues.this) {
                Line line = lines.get(name);
                return line == null ? null : line.held;
            }
        }

        /**
         * Leaves the line; the next one is woken if this was the first.
         *
         * @param served whether it has the lock; if not, whoever comes next may have it
         */
        void leave(boolean served) {
            Waiter next = null;
            synchronized (LocalWaitQueues.this) {
                Line line = lines.get(name);
                if (line == null) {
                    return;
                }
                boolean first = line.waiters.peekFirst() == this;
                line.waiters.remove(this);
                if (line.waiters.isEmpty()) {
                    lines.remove(name);
                } else if (first) {
                    next = line.waiters.getFirst();
                    next.handedOff |= handedOff || (owesHandOff && !served);
                }
            }
            wake(next);
        }
    }

    /** Joins a line at its end. */
    synchronized Waiter join(String name, Runnable wake) {
        Waiter waiter = new Waiter(name, wake);
        lines.computeIfAbsent(name, unused -> new Line()).waiters.add(waiter);
        return waiter;
    }

    synchronized boolean hasWaiters(String name) {
        return lines.containsKey(name);
    }

    /** The lock has just become free: wakes the first who waits for it. */
    void handOff(String name) {
        Waiter first;
        synchronized (this) {
            Line line = lines.get(name);
            first = line == null ? null : line.waiters.peekFirst();
            if (first != null) {
                first.handedOff = true;
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
