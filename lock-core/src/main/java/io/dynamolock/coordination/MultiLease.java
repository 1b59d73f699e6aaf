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
import java.time.Duration;
import java.util.List;

/**
 * The leases of several locks, which were acquired together and are released together, the last one first.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class MultiLease implements AutoCloseable {

    /** A lease, and how long its lock is to stay taken from its release. */
    record Member(Lease lease, Keep keep) {}

    /** Returns how long a lock is to stay taken if it is released now. */
    interface Keep {
        Duration now();
    }

    private final List<Member> members;

    MultiLease(List<Member> members) {
        this.members = List.copyOf(members);
    }

    /**
     * Returns the leases of the locks.
     *
     * @return one lease per request, in the order of the lock names; unmodifiable. Release them by {@link #release()},
     *     which respects the minimum hold of each
     */
    public List<Lease> leases() {
        return members.stream().map(Member::lease).toList();
    }

    /**
     * Returns whether all locks are certainly held. Reads local clocks only.
     *
     * @return false as soon as one of them is not
     */
    public boolean isHeld() {
        return members.stream().allMatch(member -> member.lease.isHeld());
    }

    /**
     * Throws an exception unless all locks are held. Reads local clocks only.
     *
     * @throws LeaseLostException if one is lost
     * @throws IllegalStateException if none is lost, but one was released or detached
     */
    public void ensureHeld() {
        Leases.ensureAllHeld(leases());
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
        return Leases.releaseAll(members, MultiLease::release);
    }

    private static ReleaseOutcome release(Member member) {
        try {
            return member.lease.release(member.keep.now());
        } catch (IllegalStateException handedOver) {
            if (member.lease.state() == LeaseState.DETACHED) {
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
        return "MultiLease" + leases();
    }
}
