/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LeaseState;
import io.dynamolock.Leases;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import java.util.List;

/**
 * The leases of several locks, which were acquired together and are released together, the last one first.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class MultiLease implements AutoCloseable {

    private final List<Lease> leases;

    MultiLease(List<Lease> leases) {
        this.leases = List.copyOf(leases);
    }

    /**
     * Returns the leases of the locks.
     *
     * @return one lease per request, in the order of the lock names; unmodifiable
     */
    public List<Lease> leases() {
        return leases;
    }

    /**
     * Returns whether all locks are certainly held. Reads local clocks only.
     *
     * @return false as soon as one of them is not
     */
    public boolean isHeld() {
        return leases.stream().allMatch(Lease::isHeld);
    }

    /**
     * Throws an exception unless all locks are held. Reads local clocks only.
     *
     * @throws LeaseLostException if one is lost
     * @throws IllegalStateException if none is lost, but one was released or detached
     */
    public void ensureHeld() {
        Leases.ensureAllHeld(leases);
    }

    /**
     * Releases all locks, whatever fails, the last one first. A second call repeats what has failed. Detached ones are
     * left to whoever resumes them.
     *
     * @return {@code RELEASED} if all were; otherwise the outcome of one that was not
     * @throws LockStoreException if the store failed for one of them, which is then left to expire; failures of others
     *     are suppressed
     */
    public ReleaseOutcome release() {
        return Leases.releaseAll(leases, MultiLease::release);
    }

    private static ReleaseOutcome release(Lease lease) {
        try {
            return lease.release();
        } catch (IllegalStateException handedOver) {
            if (lease.state() == LeaseState.DETACHED) {
                return ReleaseOutcome.RELEASED;
            }
            throw handedOver;
        }
    }

    @Override
    public void close() {
        var unused = release();
    }

    @Override
    public String toString() {
        return "MultiLease" + leases;
    }
}
