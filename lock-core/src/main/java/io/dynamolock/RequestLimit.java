/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the requests that callers' threads have under way at once, so that they leave connections to the heartbeat. A caller
 * beyond the bound waits for its turn: first come, first served, but requests about leases that are held go before
 * acquisitions. A turn is handed from one thread to the next. Safe for use by many threads.
 */
final class RequestLimit {

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Turn> urgent = new ArrayDeque<>();
    private final Deque<Turn> others = new ArrayDeque<>();
    private final int most;
    private final Supplier<Pause> pauses;
    private int underWay;

    private static final class Turn {

        private final Pause pause;
        private volatile boolean granted;

        Turn(Pause pause) {
            this.pause = pause;
        }

        boolean isGranted() {
            return granted;
        }
    }

    RequestLimit(int most, Supplier<Pause> pauses) {
        this.most = most;
        this.pauses = pauses;
    }

    int most() {
        return most;
    }

    /**
     * Waits for a turn.
     *
     * @param isUrgent whether it is about a lease that is held
     * @param patience how long at most
     * @return false if there was none in time
     * @throws InterruptedException if the thread is interrupted meanwhile; it has no turn then
     */
    boolean enter(boolean isUrgent, Duration patience) throws InterruptedException {
        Turn turn = turn(isUrgent);
        if (turn == null) {
            return true;
        }
        boolean granted = false;
        try {
            turn.pause.until(turn::isGranted, patience);
            granted = true;
        } finally {
            granted = settle(turn, granted);
        }
        return granted;
    }

    /** Null if there is one at once. */
    private @Nullable Turn turn(boolean isUrgent) {
        lock.lock();
        try {
            if (underWay < most) {
                underWay++;
                return null;
            }
            Turn turn = new Turn(pauses.get());
            (isUrgent ? urgent : others).add(turn);
            return turn;
        } finally {
            lock.unlock();
        }
    }

    /** Whether the turn is taken; one that was granted just before an interrupt goes to the next. */
    private boolean settle(Turn turn, boolean wanted) {
        lock.lock();
        try {
            if (turn.granted && !wanted) {
                passOn();
            } else if (!turn.granted) {
                urgent.remove(turn);
                others.remove(turn);
            }
            return turn.granted && wanted;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a turn. */
    void exit() {
        lock.lock();
        try {
            passOn();
        } finally {
            lock.unlock();
        }
    }

    private void passOn() {
        Turn next = urgent.isEmpty() ? others.poll() : urgent.poll();
        if (next == null) {
            underWay--;
        } else {
            next.granted = true;
            next.pause.wake();
        }
    }
}
