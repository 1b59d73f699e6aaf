/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Parker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the requests that callers' threads have in flight, so that connections remain for the heartbeat. A caller
 * beyond the bound waits for a permit: first come, first served, but acquisitions only get every fourth permit while
 * other requests wait. A permit is handed from one thread to the next. Safe for use by many threads.
 */
final class RequestLimit {

    /** Each so many permits, one is for an acquisition: reads of others never end where many threads send them. */
    private static final int ACQUISITION_TURN = 4;

    private final Deque<Permit> others = new ArrayDeque<>();
    private final Deque<Permit> acquisitions = new ArrayDeque<>();
    private final int maxRequests;
    private final Supplier<Parker> parkers;
    private int inFlight;
    private int granted;
    private boolean closed;

    private static final class Permit {

        private final Parker parker;
        private volatile boolean granted;
        private volatile boolean rejected;

        Permit(Parker parker) {
            this.parker = parker;
        }

        boolean isDecided() {
            return granted || rejected;
        }

        void reject() {
            rejected = true;
            parker.wake();
        }
    }

    RequestLimit(int maxRequests, Supplier<Parker> parkers) {
        this.maxRequests = maxRequests;
        this.parkers = parkers;
    }

    int maxRequests() {
        return maxRequests;
    }

    /**
     * Waits for a permit.
     *
     * @param acquisition whether it is for an acquisition: these come last, and get no permit after {@link #close()}
     * @param timeout how long to wait at most
     * @return false if there was none in time
     * @throws InterruptedException if the thread is interrupted meanwhile; it has no permit then
     */
    boolean enter(boolean acquisition, Duration timeout) throws InterruptedException {
        Permit permit = join(acquisition);
        if (permit == null) {
            return true;
        }
        boolean ended = false;
        try {
            permit.parker.awaitUntil(permit::isDecided, timeout);
            ended = true;
        } finally {
            if (!ended && !withdraw(permit)) {
                exit(); // a permit that was granted just before an interrupt goes to the next waiter
            }
        }
        return permit.granted || !withdraw(permit);
    }

    /** Takes a permit if there is one; never waits. */
    synchronized boolean tryEnter(boolean acquisition) {
        boolean free = inFlight < maxRequests && !isRejected(acquisition);
        if (free) {
            inFlight++;
        }
        return free;
    }

    private boolean isRejected(boolean acquisition) {
        return closed && acquisition;
    }

    /** Returns null if a permit was granted immediately. */
    private synchronized @Nullable Permit join(boolean acquisition) {
        if (tryEnter(acquisition)) {
            return null;
        }
        Permit permit = new Permit(parkers.get());
        if (isRejected(acquisition)) {
            permit.reject();
        } else {
            (acquisition ? acquisitions : others).add(permit);
        }
        return permit;
    }

    /** Ends a wait; returns false if it had ended with a permit. */
    private synchronized boolean withdraw(Permit permit) {
        if (permit.granted) {
            return false;
        }
        others.remove(permit);
        acquisitions.remove(permit);
        return true;
    }

    /** Returns a permit. */
    void exit() {
        Permit next = handOver();
        if (next != null) {
            next.parker.wake(); // outside of the monitor, which the woken thread may need at once
        }
    }

    /** Ends the waits of acquisitions, and grants them no permits from now on; all other requests continue. */
    synchronized void close() {
        closed = true;
        rejectWaiting();
    }

    /** Ends the waits of the acquisitions that wait for a permit now. */
    synchronized void rejectWaiting() {
        acquisitions.forEach(Permit::reject);
        acquisitions.clear();
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Returns the waiter that now has the permit; null if there is none. */
    private synchronized @Nullable Permit handOver() {
        granted++;
        boolean turn = others.isEmpty() || granted % ACQUISITION_TURN == 0;
        Permit acquisition = turn ? acquisitions.poll() : null;
        Permit next = acquisition == null ? others.poll() : acquisition;
        if (next == null) {
            inFlight--;
        } else {
            next.granted = true;
        }
        return next;
    }
}
