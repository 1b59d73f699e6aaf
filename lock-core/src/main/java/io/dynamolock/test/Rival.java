/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.test;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockState;
import io.dynamolock.LockStore;
import io.dynamolock.TestClock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Another process, as far as locks are concerned, in a test: it has a lock manager of its own on the same store. What it holds
 * it keeps, however far the clock is moved, until it lets go or crashes. Safe for use by many threads.
 *
 * @since 0.1
 */
public final class Rival implements AutoCloseable {

    /** The owner under which it holds locks. */
    public static final String OWNER = "rival";

    private final Map<String, Lease> leases = new ConcurrentHashMap<>();
    private final LockManager manager;

    /**
     * Creates a rival with a manager of its own.
     *
     * @param manager not the one under test, but on the same store, with the same clock and name prefix
     */
    public Rival(LockManager manager) {
        this.manager = manager;
    }

    /**
     * Creates a rival whose manager has the default settings.
     *
     * @param store the store of the manager under test
     * @param clock its clock
     * @return a rival, to be closed
     */
    public static Rival on(LockStore store, TestClock clock) {
        return new Rival(
                LockManager.builder(store).testClock(clock).owner(OWNER).build());
    }

    /**
     * Takes a lock and keeps it.
     *
     * @param name the lock
     * @return the lease
     * @throws IllegalStateException if somebody holds it
     */
    public Lease hold(String name) {
        Lease lease = manager.tryAcquire(name)
                .orElseThrow(() -> new IllegalStateException(
                        "The rival cannot hold lock '%s': '%s' does. To take it away there is steal"
                                .formatted(name, manager.inspect(name).owner())));
        leases.put(name, lease);
        return lease;
    }

    /**
     * Takes a lock and keeps it, away from whoever holds it. Who does learns so at the next renewal, or when it asks the store.
     *
     * @param name the lock
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
     * Gives a lock back.
     *
     * @param name the lock; nothing happens if it does not hold it
     */
    public void release(String name) {
        Lease lease = leases.remove(name);
        if (lease != null) {
            lease.close();
        }
    }

    /** Gives all locks back. */
    public void releaseAll() {
        leases.keySet().forEach(this::release);
    }

    /** Stops renewing, and gives nothing back: each lock can be taken over when its lease has run out. */
    public void crash() {
        leases.values().stream().filter(Lease::isHeld).forEach(Lease::detach);
        leases.clear();
    }

    /** Gives all locks back and ends. */
    @Override
    public void close() {
        releaseAll();
        manager.close();
    }
}
