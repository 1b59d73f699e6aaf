/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Counts requests that are under way, so that a release can return after the last of them. */
final class InFlight {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition none = lock.newCondition();
    private int count;

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
                none.signalAll();
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
    void awaitNone(long nanos) {
        boolean interrupted = false;
        long left = nanos;
        lock.lock();
        try {
            while (count > 0 && left > 0) {
                try {
                    left = none.awaitNanos(left);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            lock.unlock();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static long patience(Duration attempt) {
        return attempt.toNanos() + TimeUnit.MILLISECONDS.toNanos(100);
    }
}
