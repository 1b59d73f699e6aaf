/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.RecoverySchedule;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is open in one manager, oldest first: leases, releases and acquisitions; and whether the manager drains or is
 * closed.
 */
final class LeaseRegistry implements AcquireContext.Hooks {

    private final Map<String, HeldLease> heldById = Collections.synchronizedMap(new LinkedHashMap<>());

    /** Held leases, until they are released, detached or lost. */
    final Collection<HeldLease> held = heldById.values();

    /** The threads that hold leases by reentrant requests. */
    final ReentrantHolds holds = new ReentrantHolds();

    /** A release in progress, and the thread that performs it; null before it has one. */
    private record Releasing(Lease lease, @Nullable Thread thread) {

        static Releasing here(Lease lease) {
            return new Releasing(lease, Thread.currentThread());
        }
    }

    /** Releases in progress, several of a lease that one thread detaches and another one releases. */
    private final Set<Releasing> releasing = oldestFirst();

    /** Asynchronous closes that have not begun; they are notified when the manager has stopped. */
    final Set<AsyncClose> closings = oldestFirst();

    /** Acquisitions in progress; they are notified when the manager closes and when it has stopped. */
    final Set<AcquisitionDriver> acquisitions = oldestFirst();

    private final LeaseClock clock;
    private volatile boolean closed;
    private volatile boolean draining;

    LeaseRegistry(LeaseClock clock) {
        this.clock = clock;
    }

    /** Returns a synchronized set in insertion order. Copy it before iterating, as other threads change it. */
    private static <T> Set<T> oldestFirst() {
        return Collections.synchronizedSet(new LinkedHashSet<>());
    }

    /** Marks the manager as closed; returns whether it was open before. */
    synchronized boolean markClosed() {
        boolean wasClosed = closed;
        closed = true;
        return !wasClosed;
    }

    boolean isClosed() {
        return closed;
    }

    void requireOpen() {
        if (closed) {
            throw new LockManagerClosedException();
        }
    }

    /** Sets whether the manager drains, unless it is closed; returns whether that is a change. */
    synchronized boolean drain(boolean drain) {
        if (closed || draining == drain) {
            return false;
        }
        draining = drain;
        return true;
    }

    boolean isDraining() {
        return draining;
    }

    @Override
    public boolean isOwnLease(@Nullable String leaseId) {
        return heldById.containsKey(leaseId)
                || List.copyOf(releasing).stream()
                        .anyMatch(release -> release.lease().id().equals(leaseId));
    }

    @Override
    public @Nullable RuntimeException rejection() {
        if (closed) {
            return new LockManagerClosedException();
        }
        return draining ? new LockManagerDrainingException() : null;
    }

    void requireAcquiring() {
        RuntimeException rejection = rejection();
        if (rejection != null) {
            throw rejection;
        }
    }

    /** Wakes the acquisitions in progress, so that they notice a rejection. */
    void wakeAcquisitions() {
        List.copyOf(acquisitions).forEach(AcquisitionDriver::wake);
    }

    /** Whether no lease is held, and none is being released but by this thread, which would wait for itself. */
    boolean holdsNothing() {
        return held.isEmpty() && releasesNothing();
    }

    /** Whether no release is in progress but by this thread, and no acquisition that it could wait for. */
    boolean isSettled() {
        return releasesNothing() && List.copyOf(acquisitions).stream().allMatch(AcquisitionDriver::isOnThisThread);
    }

    /** Whether this thread performs a release, a renewal or an acquisition. */
    boolean isAtWorkHere() {
        Thread here = Thread.currentThread();
        return List.copyOf(releasing).stream().anyMatch(release -> here.equals(release.thread()))
                || List.copyOf(held).stream()
                        .anyMatch(lease -> lease.status().renewals.anyOnThisThread())
                || List.copyOf(acquisitions).stream().anyMatch(AcquisitionDriver::isOnThisThread);
    }

    private boolean releasesNothing() {
        Thread here = Thread.currentThread();
        return List.copyOf(releasing).stream().allMatch(release -> here.equals(release.thread()));
    }

    /** Spreads the overdue and the next renewals of all leases over time, once the store responds again. */
    void onStoreRecovered() {
        record Renewing(Heartbeat heartbeat, long remaining) {}
        long now = clock.nanos();
        List<Renewing> all = List.copyOf(held).stream()
                .map(lease -> new Renewing(lease.heartbeat(), lease.status().endNanos() - now))
                .filter(one -> one.heartbeat.renews())
                .sorted(Comparator.comparingLong(Renewing::remaining))
                .toList();
        RecoverySchedule schedule = new RecoverySchedule(now, all.size());
        all.forEach(one -> one.heartbeat.reschedule(schedule, now + one.remaining));
    }

    @Override
    public int heldLeases() {
        return held.size();
    }

    @Override
    public void leaseBegun(HeldLease lease) {
        heldById.put(lease.id(), lease);
    }

    @Override
    public void leaseEnded(HeldLease lease) {
        heldById.remove(lease.id());
        holds.ended(lease);
    }

    @Override
    public void releaseRequested(Lease lease) {
        releasing.add(new Releasing(lease, null));
    }

    @Override
    public void releaseBegun(Lease lease) {
        releasing.add(Releasing.here(lease)); // first, so that it is awaited all the time
        releasing.remove(new Releasing(lease, null));
    }

    @Override
    public void releaseEnded(Lease lease) {
        releasing.remove(Releasing.here(lease));
    }

    @Override
    public void releaseCancelled(Lease lease) {
        releasing.remove(new Releasing(lease, null));
    }

    @Override
    public void closeRequested(AsyncClose close) {
        closings.add(close);
    }

    @Override
    public void closeBegun(AsyncClose close) {
        closings.remove(close);
    }

    @Override
    public void acquisitionBegun(AcquisitionDriver driver) {
        acquisitions.add(driver);
    }

    @Override
    public void acquisitionEnded(AcquisitionDriver driver) {
        acquisitions.remove(driver);
    }
}
