/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Counts requests that are under way, so that a release can return after the last of them. */
final class InFlight {

    private final ReentrantLock lock = new ReentrantLock();
    private final Supplier<Pause> pauses;
    private final List<Pause> waiting = new ArrayList<>();
    private int count;

    InFlight(Supplier<Pause> pauses) {
        this.pauses = pauses;
    }

    void enter() {
        lock.lock();
        try {
            count++;
        } finally {
            lock.unlock();
        }
    }

    void exit() {
        lock.lock();
        try {
            count--;
            if (count == 0) {
                waiting.forEach(Pause::wake);
            }
        } finally {
            lock.unlock();
        }
    }

    boolean isNone() {
        lock.lock();
        try {
            return count == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until none is under way, at most for a while; an interrupt does not end it and is kept. */
    void awaitNone(Duration patience) {
        Pause pause = pauses.get();
        lock.lock();
        try {
            if (count == 0) {
                return;
            }
            waiting.add(pause);
        } finally {
            lock.unlock();
        }
        boolean interrupted = pause.uninterruptibly(this::isNone, patience);
        forget(pause);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void forget(Pause pause) {
        lock.lock();
        try {
            waiting.remove(pause);
        } finally {
            lock.unlock();
        }
    }

    /** How long it makes sense to wait for a request with such a timeout. */
    static Duration patience(Duration attempt) {
        return attempt.plusMillis(100);
    }
}
