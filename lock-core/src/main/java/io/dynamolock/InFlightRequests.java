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

/** Knows the requests that are under way, so that a release can return after the last of them. */
final class InFlightRequests {

    private static final Duration SLACK = Duration.ofMillis(100);

    private final ReentrantLock lock = new ReentrantLock();
    private final Supplier<Parker> pauses;
    private final List<Parker> waiting = new ArrayList<>();

    /** Of each request that is under way. */
    private final List<Thread> senders = new ArrayList<>(1);

    InFlightRequests(Supplier<Parker> pauses) {
        this.pauses = pauses;
    }

    void enter() {
        lock.lock();
        try {
            senders.add(Thread.currentThread());
        } finally {
            lock.unlock();
        }
    }

    void exit() {
        lock.lock();
        try {
            senders.remove(Thread.currentThread());
            waiting.forEach(Parker::wake);
        } finally {
            lock.unlock();
        }
    }

    boolean isNone() {
        lock.lock();
        try {
            return senders.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Whether none is under way but on the calling thread, which cannot wait for itself. */
    private boolean isNoneElsewhere() {
        Thread mine = Thread.currentThread();
        lock.lock();
        try {
            return senders.stream().allMatch(sender -> sender == mine);
        } finally {
            lock.unlock();
        }
    }

    /**
     * Waits until none is under way on another thread, at most for a while and a little more: if the process stood still for
     * that while, its other threads go on just now. An interrupt does not end it and is kept. What is under way on the calling
     * thread is one that a listener was called from.
     */
    void awaitNone(Duration patience) {
        Parker pause = pauses.get();
        lock.lock();
        try {
            if (isNoneElsewhere()) {
                return;
            }
            waiting.add(pause);
        } finally {
            lock.unlock();
        }
        boolean interrupted = pause.awaitUninterruptibly(this::isNoneElsewhere, patience);
        interrupted |= pause.awaitUninterruptibly(this::isNoneElsewhere, SLACK);
        forget(pause);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void forget(Parker pause) {
        lock.lock();
        try {
            waiting.remove(pause);
        } finally {
            lock.unlock();
        }
    }

    /** How long it makes sense to wait for a request with such a timeout. */
    static Duration patience(Duration attempt) {
        return attempt.plus(SLACK);
    }
}
