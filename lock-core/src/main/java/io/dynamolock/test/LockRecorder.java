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

/**
 * Keeps which locks a manager took, and which it did not get, for the assertions of a test. A lock that is taken again by the
 * thread that holds it counts once. Safe for use by many threads.
 *
 * @since 0.1
 */
public final class LockRecorder implements LockListener {

    private final List<Lease> leases = new CopyOnWriteArrayList<>();
    private final List<String> waitedFor = new CopyOnWriteArrayList<>();
    private final List<String> busy = new CopyOnWriteArrayList<>();

    /** Creates one that knows of no lock. */
    public LockRecorder() {}

    /**
     * Returns the locks that were taken.
     *
     * @return in the order in which they were, with what has become of them until now
     */
    public List<RecordedLock> acquired() {
        return leases.stream().map(RecordedLock::of).toList();
    }

    /**
     * Returns the locks that somebody waits for or has waited for, so that a test can move the clock when it is time to.
     *
     * @return their names, in order, one for each wait that has begun
     */
    public List<String> waitedFor() {
        return List.copyOf(waitedFor);
    }

    /**
     * Returns the locks that somebody else held until the wait time was over.
     *
     * @return their names, in order, one for each time
     */
    public List<String> busy() {
        return List.copyOf(busy);
    }

    /** Forgets everything. */
    public void clear() {
        leases.clear();
        waitedFor.clear();
        busy.clear();
    }

    /** Releases what is still held, and forgets everything: for the end of a test. */
    public void release() {
        leases.stream().filter(Lease::isHeld).forEach(Lease::close);
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
