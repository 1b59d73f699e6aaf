/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.health;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLost;
import io.dynamolock.LeaseState;
import io.dynamolock.LockListener;
import io.dynamolock.LockStoreException;
import io.dynamolock.ReleaseOutcome;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Collects the internal state of a lock manager: which leases are at risk, which locks no process can acquire, and the
 * uncertainty of the store's time.
 *
 * <p>Thread-safe.
 *
 * @since 0.1
 */
public final class LockHealth implements LockListener {

    private static final int REMEMBERED = 1_000;

    private final Set<Lease> failing = ConcurrentHashMap.newKeySet();
    private final Set<String> closed = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Duration clockSkew;
    private volatile @Nullable Duration clockWidth;

    /** Creates an object without any state. */
    public LockHealth() {}

    /**
     * Returns the leases whose last renewal failed and that are still held.
     *
     * @return their lease ids
     */
    public Set<String> atRisk() {
        return failing.stream()
                .filter(lease -> lease.state() == LeaseState.AT_RISK)
                .map(Lease::id)
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Returns the locks whose rows leave no fencing token, so that no process can acquire them until an operator frees
     * them. A lock that another process has freed is included until this process reads its row again.
     *
     * @return at most 1,000 names, sorted
     */
    public SortedSet<String> closedLocks() {
        return Collections.unmodifiableSortedSet(new TreeSet<>(closed));
    }

    /**
     * Returns the difference of this machine's wall clock minus the store's time.
     *
     * @return the difference; null if the store's time is unknown
     */
    public @Nullable Duration clockSkew() {
        return clockSkew;
    }

    /**
     * Returns the uncertainty of the store's time at the last sample.
     *
     * @return the uncertainty; null if the store's time is unknown
     */
    public @Nullable Duration clockWidth() {
        return clockWidth;
    }

    @Override
    public void onClockSample(Duration skew, Duration width) {
        clockSkew = skew;
        clockWidth = width;
    }

    @Override
    public void onClockUntrusted(ClockProblem problem) {
        clockSkew = null;
        clockWidth = null;
    }

    @Override
    public void onCorruptRow(String name, List<String> attributes, boolean isClosed) {
        if (!isClosed) {
            closed.remove(name);
        } else if (closed.size() < REMEMBERED) {
            closed.add(name);
        }
    }

    @Override
    public void onRepairedRow(String name) {
        closed.remove(name);
    }

    @Override
    public void onAcquired(Lease lease, Duration took, Duration waited) {
        closed.remove(lease.name());
    }

    private static boolean hasEnded(Lease lease) {
        return lease.state() != LeaseState.HELD && lease.state() != LeaseState.AT_RISK;
    }

    @Override
    public void onRenewalFailed(Lease lease, Throwable failure, Duration took) {
        failing.removeIf(LockHealth::hasEnded); // a detached lease has no other event
        if (!hasEnded(lease)) {
            failing.add(lease);
        }
    }

    @Override
    public void onRenewed(Lease lease, Duration took) {
        failing.remove(lease);
    }

    @Override
    public void onLost(Lease lease, LeaseLost lost) {
        failing.remove(lease);
    }

    @Override
    public void onReleased(Lease lease, ReleaseOutcome outcome, Duration took) {
        failing.remove(lease);
    }

    @Override
    public void onReleaseFailed(Lease lease, LockStoreException failure, Duration took) {
        failing.remove(lease);
    }
}
