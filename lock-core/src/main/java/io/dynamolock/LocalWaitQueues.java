/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * FIFO queues of the waiters in this JVM, one queue per lock name. Only the first waiter of a queue sends requests to
 * the store, so many waiters cost no more than one; another waiter polls in its place if the first has sent no request
 * for too long, as it may have no thread. A release in this JVM wakes the first waiter without a poll.
 *
 * <p>A caller that finds no queue makes a first attempt outside of it, one at a time for each name: those that come
 * meanwhile wait already. Waiters are woken outside of the monitor. Safe for use by many threads.
 */
final class LocalWaitQueues {

    private static final int NONE_SENT = -1;

    private final Map<String, Queue> queues = new HashMap<>();
    private final Map<String, FirstAttempt> firstAttempts = new HashMap<>();

    private static final class Queue {
        private final Deque<Waiter> waiters = new ArrayDeque<>();
        private final QueueHistory history = new QueueHistory();
    }

    /** An attempt to acquire a lock for which no caller waits. */
    final class FirstAttempt {

        private final String name;
        private boolean released;

        private FirstAttempt(String name) {
            this.name = name;
        }

        /** Ends the attempt. If the lock was not acquired, the first of those who came meanwhile attempts now. */
        void end(boolean acquired) {
            Waiter first = null;
            synchronized (LocalWaitQueues.this) {
                if (firstAttempts.remove(name, this) && !acquired) {
                    first = handOffNow(name);
                }
            }
            wake(first);
        }

        /** Ends the attempt as the lock is busy, and joins the queue before those that came meanwhile. */
        Waiter join(Runnable wake) {
            synchronized (LocalWaitQueues.this) {
                firstAttempts.remove(name, this);
                Queue queue = queues.computeIfAbsent(name, unused -> new Queue());
                Waiter waiter = new Waiter(name, wake, queue.history);
                Waiter former = queue.waiters.peekFirst();
                waiter.handedOff = released || (former != null && former.handedOff);
                if (former != null) {
                    former.handedOff = false;
                }
                queue.waiters.addFirst(waiter);
                return waiter;
            }
        }
    }

    /** A position in a queue. */
    final class Waiter {

        private final String name;
        private final Runnable wake;
        private final QueueHistory history;
        private boolean handedOff;
        private boolean owesHandOff;
        private int responsesBefore = NONE_SENT;
        private boolean mayAttempt;
        private int releasesBefore;

        private Waiter(String name, Runnable wake, QueueHistory history) {
            this.name = name;
            this.wake = wake;
            this.history = history;
        }

        /** Whether a waiter of the queue got a response since the last request of this one; true if it sent none. */
        private boolean wasAnsweredSince() {
            return responsesBefore != history.responses();
        }

        boolean isFirst() {
            synchronized (LocalWaitQueues.this) {
                Queue queue = queues.get(name);
                return queue != null && queue.waiters.peekFirst() == this;
            }
        }

        /** Whether the lock was released in this JVM since the last call. */
        boolean takeHandOff() {
            synchronized (LocalWaitQueues.this) {
                boolean wasHandedOff = handedOff;
                handedOff = false;
                owesHandOff |= wasHandedOff;
                return wasHandedOff;
            }
        }

        /** Whether the store has failed another caller since the last call, and this waiter may not know yet. */
        boolean takeAttempt() {
            synchronized (LocalWaitQueues.this) {
                boolean may = mayAttempt;
                mayAttempt = false;
                return may;
            }
        }

        /** Returns the number of releases in this JVM so far. */
        int releases() {
            return history.releases();
        }

        /** Records that a request about this lock is about to be sent. */
        void requestSent(long nanos) {
            synchronized (LocalWaitQueues.this) {
                releasesBefore = history.releases();
                responsesBefore = history.responses();
                history.requestSent(nanos);
            }
        }

        /** Returns when another waiter than the first has to poll, as none has sent a request for the given time. */
        long takeOverPollingAtNanos(long nowNanos, long silenceNanos) {
            return history.lastRequestNanos(nowNanos) + silenceNanos;
        }

        /**
         * Whether this waiter has to poll now because no waiter has sent a request for the given time; if so, the
         * others need not.
         */
        boolean pollsForFirst(long nowNanos, long silenceNanos) {
            synchronized (LocalWaitQueues.this) {
                boolean silent = nowNanos - takeOverPollingAtNanos(nowNanos, silenceNanos) >= 0;
                if (silent) {
                    requestSent(nowNanos);
                }
                return silent;
            }
        }

        /** Shares the row in the response to a request that was sent at the given time. */
        void observed(LockRow row, long requestNanos) {
            synchronized (LocalWaitQueues.this) {
                owesHandOff = false;
                mayAttempt = false;
                history.responded();
                if (history.releases() == releasesBefore) { // otherwise it saw an earlier holder
                    history.observed(row, requestNanos);
                }
            }
        }

        /** Whether a request sent after that moment found the lock held: at it, the clock may have stood still. */
        boolean wasObservedHeldAfter(long nanos) {
            return history.wasHeldSince(nanos + 1);
        }

        /** Returns the last row in which a waiter of this queue found the lock held; null if there is none. */
        @Nullable
        LockRow lastHeld() {
            return history.lastHeld();
        }

        /** Passes on a hand-off that was taken, but not answered, to the first waiter. */
        void passOwedHandOff() {
            Waiter first = null;
            synchronized (LocalWaitQueues.this) {
                if (owesHandOff) {
                    owesHandOff = false;
                    first = handOffNow(name);
                }
            }
            wake(first);
        }

        /**
         * Leaves the queue; the next waiter is woken if this was the first.
         *
         * @param acquired whether this waiter has acquired the lock; if not, a pending hand-off passes to the next one
         */
        void leave(boolean acquired) {
            Waiter next = null;
            synchronized (LocalWaitQueues.this) {
                Queue queue = queues.get(name);
                if (queue == null) {
                    return;
                }
                FirstAttempt attempt = firstAttempts.get(name);
                if (acquired && attempt != null) {
                    firstAttempts.remove(name); // its request must be hanging
                    attempt.released = true; // what it sees is out of date
                }
                boolean passesHandOff = handedOff || (owesHandOff && !acquired);
                handedOff = false;
                owesHandOff = false;
                boolean first = queue.waiters.peekFirst() == this;
                queue.waiters.remove(this);
                if (queue.waiters.isEmpty()) {
                    queues.remove(name);
                }
                next = passesHandOff ? handOffNow(name) : first ? queue.waiters.peekFirst() : null;
            }
            wake(next);
        }
    }

    /** Joins a queue at its tail. */
    synchronized Waiter join(String name, Runnable wake) {
        Queue queue = queues.computeIfAbsent(name, unused -> new Queue());
        Waiter waiter = new Waiter(name, wake, queue.history);
        queue.waiters.add(waiter);
        return waiter;
    }

    synchronized boolean hasWaiters(String name) {
        return queues.containsKey(name);
    }

    /** Begins an attempt outside of the queue; returns null if other callers wait, or attempt already. */
    synchronized @Nullable FirstAttempt beginFirstAttempt(String name) {
        if (queues.containsKey(name) || firstAttempts.containsKey(name)) {
            return null;
        }
        FirstAttempt attempt = new FirstAttempt(name);
        firstAttempts.put(name, attempt);
        return attempt;
    }

    /** Shares an observed row with the waiters of a queue. */
    synchronized void observed(String name, LockRow row, long requestNanos) {
        Queue queue = queues.get(name);
        if (queue != null) {
            queue.history.observed(row, requestNanos);
        }
    }

    /** Hands a lock that was just released to the first waiter of its queue, and wakes it. */
    void handOff(String name) {
        synchronized (this) {
            Optional.ofNullable(queues.get(name)).ifPresent(queue -> queue.history.released());
        }
        hint(name);
    }

    /** Lets the first waiter for a lock attempt, and wakes it, as the lock may be free. */
    void hint(String name) {
        wake(handOffNow(name));
    }

    synchronized boolean hasFirstAttempt(String name) {
        return firstAttempts.containsKey(name);
    }

    /** Lets those attempt that have sent nothing since the last response, unless it came while the failed one hung. */
    void storeFailed(String name, @Nullable Waiter failed) {
        List<Waiter> attempting;
        synchronized (this) {
            Queue queue = queues.get(name);
            attempting = queue == null || (failed != null && failed.wasAnsweredSince())
                    ? List.of()
                    : queue.waiters.stream().filter(Waiter::wasAnsweredSince).toList();
            attempting.forEach(waiter -> waiter.mayAttempt = true);
        }
        attempting.forEach(LocalWaitQueues::wake);
    }

    /** Returns the first waiter; the lock is handed off to it, or to the attempt outside of the queue if none waits. */
    private synchronized @Nullable Waiter handOffNow(String name) {
        Queue queue = queues.get(name);
        Waiter first = queue == null ? null : queue.waiters.peekFirst();
        FirstAttempt attempt = firstAttempts.get(name);
        if (first != null) {
            first.handedOff = true;
        } else if (attempt != null) {
            attempt.released = true; // its write may have been rejected already
        }
        return first;
    }

    private static void wake(@Nullable Waiter waiter) {
        if (waiter != null) {
            waiter.wake.run();
        }
    }
}
