/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.InvalidSettingException;
import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LeasedWork;
import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockStoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Several locks, each with options of its own, of which all are acquired or none. They are acquired one after the other
 * in the order of their names, as by {@link LockRequest#ofAll}, so that no two callers wait for each other, whatever
 * the order of their requests. Locks with the same options need only that request.
 *
 * <p>If one of them cannot be acquired, the others are released immediately, without their minimum hold, and leave no
 * trace. Thread-safe.
 *
 * @since 0.1
 */
public final class MultiLock {

    private final LockManager locks;
    private final List<LockRequest> requests;
    private final LongSupplier nanoTime;

    private MultiLock(LockManager locks, List<LockRequest> requests) {
        this.locks = locks;
        this.requests = requests;
        this.nanoTime = LockDiagnostics.clockOf(locks);
    }

    /**
     * Returns a lock of several locks.
     *
     * @param locks the manager
     * @param requests at least one; each for one lock. Their wait times have no effect
     * @return a new object, without a lock yet
     * @throws IllegalArgumentException if there is no request, if two are for the same lock, or if one is for several
     * @throws InvalidSettingException if the manager would always reject a request
     */
    public static MultiLock of(LockManager locks, Collection<LockRequest> requests) {
        Objects.requireNonNull(locks, "locks");
        List<LockRequest> sorted = new ArrayList<>(Objects.requireNonNull(requests, "requests"));
        if (sorted.isEmpty()) {
            throw new IllegalArgumentException("A multi-lock needs at least one request");
        }
        Set<String> names = new HashSet<>();
        for (LockRequest request : sorted) {
            if (!names.add(Requests.forOne(locks, request).name())) {
                throw new IllegalArgumentException(
                        "Lock '%s' occurs more than once in a multi-lock".formatted(request.name()));
            }
        }
        sorted.sort(Comparator.comparing(LockRequest::name));
        return new MultiLock(locks, List.copyOf(sorted));
    }

    /**
     * Makes a single attempt, without waiting.
     *
     * @return the leases, or empty if one of the locks was busy
     * @throws LeaseLostException if a lock was lost while others were acquired; none stays acquired
     * @throws LockStoreException if the store failed; none stays acquired
     * @throws IllegalStateException if the manager is closed or drains
     */
    public Optional<MultiLease> tryAcquire() {
        try {
            return tryAcquire(Duration.ZERO);
        } catch (InterruptedException impossible) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    /**
     * Acquires all locks, and waits up to a time for all of them together.
     *
     * @param waitTime zero for a single attempt; without an upper limit
     * @return the leases, or empty if one of the locks was busy until the wait time had elapsed
     * @throws IllegalArgumentException if the wait time is negative
     * @throws InterruptedException if the thread is interrupted while it waits; no lock stays acquired
     * @throws LeaseLostException if a lock was lost while others were awaited; none stays acquired
     * @throws LockStoreException if the store failed; none stays acquired
     * @throws IllegalStateException if the manager is closed or drains
     */
    public Optional<MultiLease> tryAcquire(Duration waitTime) throws InterruptedException {
        Countdown countdown = new Countdown(nanoTime, waitTime);
        List<Lease> acquired = new ArrayList<>();
        boolean complete = false;
        try {
            for (LockRequest request : requests) {
                Optional<Lease> lease = locks.tryAcquire(request.waitTime(countdown.remaining()));
                if (lease.isEmpty()) {
                    return Optional.empty();
                }
                acquired.add(lease.get());
            }
            MultiLease all = new MultiLease(acquired);
            all.ensureHeld();
            complete = true;
            return Optional.of(all);
        } finally {
            if (!complete) {
                for (int i = acquired.size() - 1; i >= 0; i--) {
                    LeasedWork.endUnused(acquired.get(i));
                }
            }
        }
    }

    @Override
    public String toString() {
        return "MultiLock" + requests.stream().map(LockRequest::name).toList();
    }
}
