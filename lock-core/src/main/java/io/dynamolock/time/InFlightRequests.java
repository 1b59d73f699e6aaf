/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tracks the requests in flight, so that a release can return after the last of them. */
public final class InFlightRequests {

    private static final Duration SLACK = Duration.ofMillis(100);

    private final Supplier<Parker> parkers;
    private final List<Parker> waiters = new ArrayList<>(0);

    /** The sending thread of each request in flight. */
    private final List<Thread> senders = new ArrayList<>(0);

    public InFlightRequests(Supplier<Parker> parkers) {
        this.parkers = parkers;
    }

    public synchronized void enter() {
        senders.add(Thread.currentThread());
    }

    public synchronized void exit() {
        senders.remove(Thread.currentThread());
        waiters.forEach(Parker::wake);
    }

    public synchronized boolean isEmpty() {
        return senders.isEmpty();
    }

    /** Whether the calling thread has a request in flight, as it does within a listener of that request. */
    public synchronized boolean anyOnThisThread() {
        return senders.contains(Thread.currentThread());
    }

    /** Whether no other thread has a request in flight; the calling thread cannot wait for itself. */
    public synchronized boolean noneOnOtherThreads() {
        Thread current = Thread.currentThread();
        return senders.isEmpty() || senders.stream().allMatch(sender -> sender == current);
    }

    /**
     * Waits until no other thread has a request in flight, for at most the timeout and a little longer: if the process
     * was paused for the whole timeout, its other threads resume only now. An interrupt does not end the wait and is
     * kept. A request in flight on the calling thread is one from which a listener was called.
     */
    public void awaitCompletion(Duration timeout) {
        Parker parker = joinWaiters();
        if (parker == null) {
            return;
        }
        boolean interrupted = parker.awaitUninterruptibly(this::noneOnOtherThreads, timeout);
        interrupted |= parker.awaitUninterruptibly(this::noneOnOtherThreads, SLACK);
        forget(parker);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the parker of a new waiter; null if there is nothing to wait for. */
    private synchronized @Nullable Parker joinWaiters() {
        if (noneOnOtherThreads()) {
            return null;
        }
        Parker parker = parkers.get();
        waiters.add(parker);
        return parker;
    }

    private synchronized void forget(Parker parker) {
        waiters.remove(parker);
    }

    /** Returns how long to wait for a request with the given timeout. */
    public static Duration waitTimeout(Duration attemptTimeout) {
        return attemptTimeout.plus(SLACK);
    }
}
