/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.test;

import io.dynamolock.Lease;
import io.dynamolock.LockListener;
import io.dynamolock.LockState;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * Records which locks a manager acquired, and which it did not get, for assertions in tests. A reentrant acquisition
 * counts once. Thread-safe.
 *
 * @since 0.1
 */
public final class LockRecorder implements LockListener {

    private final List<Lease> leases = new CopyOnWriteArrayList<>();
    private final List<String> waitedFor = new CopyOnWriteArrayList<>();
    private final List<String> busy = new CopyOnWriteArrayList<>();

    /** Creates an empty recorder. */
    public LockRecorder() {}

    /**
     * Returns the locks that were acquired.
     *
     * @return in the order of acquisition, with the current state of their leases
     */
    public List<RecordedLock> acquired() {
        return leases.stream().map(RecordedLock::of).toList();
    }

    /**
     * Returns the locks that a caller waits for or has waited for, so that a test knows when to move the clock.
     *
     * @return their names, in order, one for each wait that has begun
     */
    public List<String> waitedFor() {
        return List.copyOf(waitedFor);
    }

    /**
     * Returns the locks that another lease held until the wait time had elapsed.
     *
     * @return their names, in order, one for each time
     */
    public List<String> busy() {
        return List.copyOf(busy);
    }

    /** Forgets everything recorded. */
    public void clear() {
        leases.clear();
        waitedFor.clear();
        busy.clear();
    }

    /** Releases all leases that are still held, and forgets everything recorded: for the end of a test. */
    public void release() {
        releaseExcept(lease -> false);
    }

    /**
     * Releases the leases that are still held, except some, and forgets everything recorded.
     *
     * @param stays whether a lease stays held, such as that of a {@link io.dynamolock.coordination.LeaderElection},
     *     which does not seek its lock again after somebody else has released it
     */
    public void releaseExcept(Predicate<? super Lease> stays) {
        leases.stream()
                .filter(Lease::isHeld)
                .filter(lease -> !stays.test(lease))
                .forEach(Lease::close);
        clear();
    }

    @Override
    public void onWaiting(LockState holder) {
        waitedFor.add(holder.name());
    }

    @Override
    public void onAcquired(Lease lease, Duration took, Duration waited) {
        leases.add(lease);
    }

    @Override
    public void onBusy(LockState holder, Duration took, Duration waited) {
        busy.add(holder.name());
    }
}
