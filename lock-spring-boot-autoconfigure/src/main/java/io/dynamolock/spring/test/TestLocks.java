/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.test;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockManager;
import io.dynamolock.memory.InMemoryLockStore;
import io.dynamolock.spring.LockScope;
import io.dynamolock.spring.Locks;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Locks for plain unit tests, without Spring: code that calls {@link Locks#assertHeld()} or {@link Locks#current()}
 * runs as if a locked method had called it.
 *
 * <pre>{@code
 * try (TestLocks lock = TestLocks.assumeHeld()) {
 *     invoices.write("4711");
 * }
 * }</pre>
 *
 * <p>The lock is held in memory, for this thread alone. Several can be assumed at a time, also of the same name; they
 * are closed in any order, on the same thread. One that is never closed stays assumed for as long as its thread lives.
 *
 * @since 0.1
 */
public final class TestLocks implements AutoCloseable {

    private static final Duration LONGER_THAN_ANY_TEST = Duration.ofDays(365);

    private final LockManager manager;
    private final Lease lease;
    private boolean closed;

    private TestLocks(String name) {
        this.manager = LockManager.builder(new InMemoryLockStore())
                .leaseDuration(LONGER_THAN_ANY_TEST)
                .build();
        this.lease = manager.tryAcquire(name).orElseThrow();
    }

    /**
     * Assumes that this thread runs under a lock, whatever its name.
     *
     * @return the assumption, which ends when it is closed
     */
    public static TestLocks assumeHeld() {
        return assumeHeld("assumed");
    }

    /**
     * Assumes that this thread runs under a lock.
     *
     * @param name the lock name
     * @return the assumption, which ends when it is closed
     * @throws io.dynamolock.InvalidSettingException if the name is not valid
     */
    public static TestLocks assumeHeld(String name) {
        TestLocks assumed = new TestLocks(name);
        LockScope.enter(assumed.lease);
        return assumed;
    }

    /**
     * Returns the lease that {@link Locks#current()} returns.
     *
     * @return the lease, with a fencing token
     */
    public Lease lease() {
        return lease;
    }

    /**
     * Loses the lock, as if an operator had revoked it: from now on, {@link Locks#assertHeld()} throws a
     * {@link LeaseLostException}.
     */
    public void lose() {
        manager.revoke(lease.name(), lease.id());
        lease.verify(); // notices it immediately
    }

    @Override
    public String toString() {
        return "TestLocks[%s, %s]".formatted(lease.name(), lease.state());
    }

    /**
     * Ends the assumption, wherever it is among those of this thread. Does nothing if it has ended.
     *
     * @throws IllegalStateException if it was made on another thread, where it stays
     */
    @Override
    public void close() {
        if (!closed) {
            leave();
            closed = true;
            lease.close();
            manager.close();
        }
    }

    /** Removes the lease from the scope of this thread, and keeps those that were entered since. */
    private void leave() {
        Deque<Lease> inner = new ArrayDeque<>();
        LockScope current = LockScope.current();
        while (current != null && current.lease() != lease) {
            inner.push(current.lease());
            current = current.outer();
        }
        if (current == null) {
            throw new IllegalStateException("The lock '" + lease.name() + "' was assumed on another thread");
        }
        current.leave();
        inner.forEach(LockScope::enter);
    }
}
