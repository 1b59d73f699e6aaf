/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/** Tracks the requests in flight, so that a release can return after the last of them. */
public final class InFlightRequests {

    private static final Duration SLACK = Duration.ofMillis(100);

    private final ReentrantLock lock = new ReentrantLock();
    private final Supplier<Parker> parkers;
    private final List<Parker> waiters = new ArrayList<>();

    /** The sending thread of each request in flight. */
    private final List<Thread> senders = new ArrayList<>(1);

    public InFlightRequests(Supplier<Parker> parkers) {
        this.parkers = parkers;
    }

    public void enter() {
        lock.lock();
        try {
            senders.add(Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    public void exit() {
        lock.lock();
        try {
            senders.remove(Thread.currentThread());
            waiters.forEach(Parker::wake);
        } finally {
            lock.unlock();
        }
    }

    public boolean isEmpty() {
        lock.lock();
        try {
            return senders.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Whether no other thread has a request in flight; the calling thread cannot wait for itself. */
    private boolean noneOnOtherThreads() {
        Thread current = Thread.currentThread();
        lock.lock();
        try {
            return senders.isEmpty() || senders.stream().allMatch(sender -> sender == current);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until no other thread has a request in flight, for at most the timeout and a little longer: if the process
     * was paused for the whole timeout, its other threads resume only now. An interrupt does not end the wait and is
     * kept. A request in flight on the calling thread is one from which a listener was called.
     */
    public void awaitCompletion(Duration timeout) {
        Parker parker = parkers.get();
        lock.lock();
        try {
            if (noneOnOtherThreads()) {
                return;
            }
            waiters.add(parker);
        } finally {
            lock.unlock();
        }
        boolean interrupted = parker.awaitUninterruptibly(this::noneOnOtherThreads, timeout);
        interrupted |= parker.awaitUninterruptibly(this::noneOnOtherThreads, SLACK);
        forget(parker);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void forget(Parker parker) {
        lock.lock();
        try {
            waiters.remove(parker);
        } finally {
            lock.unlock();
        }
    }

    /** Returns how long to wait for a request with the given timeout. */
    public static Duration waitTimeout(Duration attemptTimeout) {
        return attemptTimeout.plus(SLACK);
    }
}
