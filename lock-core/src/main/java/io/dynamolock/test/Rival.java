/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.test;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.LockStore;
import io.dynamolock.time.TestClock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Simulates another process in a test: it has its own lock manager on the same store. It keeps its locks, however far
 * the clock is moved, until it releases them or crashes. Thread-safe.
 *
 * @since 0.1
 */
public final class Rival implements AutoCloseable {

    /** The owner of the locks that it holds. */
    public static final String OWNER = "rival";

    private final Map<String, Lease> leases = new ConcurrentHashMap<>();
    private final LockManager manager;

    /**
     * Creates a rival with a given manager.
     *
     * @param manager not the manager under test, but on the same store, with the same clock and name prefix; closed
     *     with the rival
     */
    public Rival(LockManager manager) {
        this.manager = manager;
    }

    /**
     * Creates a rival whose manager has the default settings.
     *
     * @param store the store of the manager under test
     * @param clock the clock of the manager under test
     * @return a rival, which the caller must close
     */
    public static Rival on(LockStore store, TestClock clock) {
        return new Rival(
                LockManager.builder(store).testClock(clock).owner(OWNER).build());
    }

    /**
     * Acquires a lock and keeps it.
     *
     * @param name the lock name
     * @return the lease
     * @throws IllegalStateException if another lease holds the lock
     */
    public Lease hold(String name) {
        Lease lease = manager.tryAcquire(name)
                .orElseThrow(() -> new IllegalStateException(
                        "The rival cannot hold lock '%s': '%s' holds it; use steal(..) to take it over"
                                .formatted(name, manager.inspect(name).owner())));
        leases.put(name, lease);
        return lease;
    }

    /**
     * Acquires a lock and keeps it, even if another lease holds it. The previous holder detects the loss at its next
     * renewal, or when it verifies its lease with the store.
     *
     * @param name the lock name
     * @return the lease
     */
    public Lease steal(String name) {
        LockState state = manager.inspect(name);
        if (state.leaseId() != null) {
            manager.forceRelease(name, state.leaseId());
        }
        return hold(name);
    }

    /**
     * Releases a lock; does nothing if this rival does not hold it.
     *
     * @param name the lock name
     */
    public void release(String name) {
        Lease lease = leases.remove(name);
        if (lease != null) {
            lease.close();
        }
    }

    /** Releases all its locks. */
    public void releaseAll() {
        leases.keySet().forEach(this::release);
    }

    /** Stops renewing without releasing: each lock can be taken over when its lease has expired. */
    public void crash() {
        leases.values().stream().filter(Lease::isHeld).forEach(Lease::detach);
        leases.clear();
    }

    /** Releases all its locks and closes its manager. */
    @Override
    public void close() {
        releaseAll();
        manager.close();
    }
}
