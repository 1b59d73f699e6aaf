/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Acquires several locks within one wait time, in the order of the request, or none: what was acquired is released if
 * one is busy or fails, before any work has used it.
 */
final class GroupAcquisition {

    private final LockRequest request;
    private final LongSupplier nanoTime;
    private final long deadlineNanos;
    private final Iterator<String> names;
    private final List<Lease> acquired = new ArrayList<>();

    GroupAcquisition(LockRequest request, Duration waitTime, LongSupplier nanoTime) {
        this.request = request;
        this.nanoTime = nanoTime;
        this.deadlineNanos = nanoTime.getAsLong() + Durations.nanos(waitTime);
        this.names = request.names().iterator();
    }

    boolean isComplete() {
        return !names.hasNext();
    }

    /** Returns the request for the next lock, with what is left of the wait time. */
    LockRequest next() {
        long remaining = Math.max(0, deadlineNanos - nanoTime.getAsLong());
        return request.name(names.next()).waitTime(Duration.ofNanos(remaining));
    }

    void acquired(Lease lease) {
        acquired.add(lease);
    }

    /** Returns the handle on what was acquired. */
    LeaseGroup group() {
        return new LeaseGroup(acquired);
    }

    Optional<Lease> tryAcquire(LockManager locks) throws InterruptedException {
        try {
            return Optional.of(acquire(locks));
        } catch (LockBusyException busy) {
            return Optional.empty();
        }
    }

    /**
     * Acquires all locks on the calling thread; throws LeaseLostException if one was lost while others were awaited.
     */
    Lease acquire(LockManager locks) throws InterruptedException {
        try {
            while (!isComplete()) {
                acquired(locks.acquire(next()));
            }
            LeaseGroup all = group();
            all.ensureHeld();
            return all;
        } catch (Throwable failure) {
            LeaseGroup.closeUnused(acquired, failure);
            throw failure;
        }
    }
}
