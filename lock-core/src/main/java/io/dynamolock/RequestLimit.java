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
 * beyond the bound waits for its turn: first come, first served, but acquisitions go after all others. A turn is handed from one
 * thread to the next. Safe for use by many threads.
 */
final class RequestLimit {

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Turn> others = new ArrayDeque<>();
    private final Deque<Turn> acquisitions = new ArrayDeque<>();
    private final int most;
    private final Supplier<Parker> pauses;
    private int underWay;
    private boolean closed;

    private static final class Turn {

        private final Parker pause;
        private volatile boolean granted;
        private volatile boolean ended;

        Turn(Parker pause) {
            this.pause = pause;
        }

        boolean isDecided() {
            return granted || ended;
        }

        void grant() {
            granted = true;
            pause.wake();
        }

        void end() {
            ended = true;
            pause.wake();
        }
    }

    RequestLimit(int most, Supplier<Parker> pauses) {
        this.most = most;
        this.pauses = pauses;
    }

    int most() {
        return most;
    }

    /**
     * Waits for a turn.
     *
     * @param acquires whether it is for an acquisition: these go last, and none gets a turn after {@link #close()}
     * @param patience how long at most
     * @return false if there was none in time
     * @throws InterruptedException if the thread is interrupted meanwhile; it has no turn then
     */
    boolean enter(boolean acquires, Duration patience) throws InterruptedException {
        Turn turn = turn(acquires);
        if (turn == null) {
            return true;
        }
        boolean granted = false;
        try {
            turn.pause.until(turn::isDecided, patience);
            granted = true;
        } finally {
            granted = settle(turn, granted);
        }
        return granted;
    }

    /** Null if there is one at once. */
    private @Nullable Turn turn(boolean acquires) {
        lock.lock();
        try {
            boolean refused = closed && acquires;
            if (underWay < most && !refused) {
                underWay++;
                return null;
            }
            Turn turn = new Turn(pauses.get());
            if (refused) {
                turn.end();
            } else {
                (acquires ? acquisitions : others).add(turn);
            }
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
                others.remove(turn);
                acquisitions.remove(turn);
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

    /** Ends the waits of acquisitions, and gives them no turns from now on; all others go on. */
    void close() {
        lock.lock();
        try {
            closed = true;
            acquisitions.forEach(Turn::end);
            acquisitions.clear();
        } finally {
            lock.unlock();
        }
    }

    boolean isClosed() {
        lock.lock();
        try {
            return closed;
        } finally {
            lock.unlock();
        }
    }

    private void passOn() {
        Turn next = others.isEmpty() ? acquisitions.poll() : others.poll();
        if (next == null) {
            underWay--;
        } else {
            next.grant();
        }
    }
}
