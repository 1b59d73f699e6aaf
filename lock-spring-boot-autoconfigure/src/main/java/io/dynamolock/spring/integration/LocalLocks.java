/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.integration;

import io.dynamolock.Lease;
import io.dynamolock.LockBusyException;
import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The locks that threads of this process hold or wait for, by name. The others take no memory. */
final class LocalLocks {

    static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final LockManager manager;
    private final Map<String, LocalLock> inUse = new ConcurrentHashMap<>();
    private final LongSupplier nanoTime;
    private final BusyLockPacer pacer;

    LocalLocks(LockManager manager) {
        this.manager = manager;
        this.nanoTime = LockDiagnostics.clockOf(manager);
        this.pacer = new BusyLockPacer(nanoTime);
    }

    BusyLockPacer pacer() {
        return pacer;
    }

    /** Locks without waiting, also on an interrupted thread. */
    boolean tryLock(LockRequest request) {
        LockRequest withoutWait = request.waitTime(Duration.ZERO);
        try {
            return lock(request.name(), nanoTime.getAsLong(), () -> manager.tryAcquire(withoutWait));
        } catch (InterruptedException impossibleWithoutWait) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Locks, or waits for at most the given time, which is positive. */
    boolean lock(LockRequest request, Duration wait) throws InterruptedException {
        long deadline = nanoTime.getAsLong() + TimeUnit.NANOSECONDS.convert(wait);
        return lock(request.name(), deadline, () -> acquire(request, wait, deadline));
    }

    private interface Acquisition {
        Optional<Lease> acquire() throws InterruptedException;
    }

    /**
     * Locks. Sends no request while another thread has locked the name through this registry. A thread gets the lease
     * before it enters: it may have it already, and must not wait for threads that wait for its lease.
     */
    private boolean lock(String name, long deadline, Acquisition acquisition) throws InterruptedException {
        LocalLock local = use(name);
        boolean locked = false;
        try {
            locked = local.reenter()
                    || (local.awaitUnlocked(remaining(deadline))
                            && entered(local, acquisition.acquire().orElse(null), deadline));
        } finally {
            if (!locked) {
                unuse(name);
            }
        }
        return locked;
    }

    /** Enters with a lease, or releases it: a thread whose lease was lost may not have left yet. */
    private boolean entered(LocalLock local, @Nullable Lease lease, long deadline) throws InterruptedException {
        if (lease == null) {
            return false;
        }
        boolean entered = false;
        try {
            entered = local.enter(lease, remaining(deadline));
        } finally {
            if (!entered) {
                lease.close();
            }
        }
        return entered;
    }

    private Optional<Lease> acquire(LockRequest request, Duration wait, long deadline) throws InterruptedException {
        String name = request.name();
        if (!BusyLockPacer.isPaced(wait) || isHeldInThisProcess(name)) {
            return manager.tryAcquire(request.waitTime(remaining(deadline)));
        }
        while (pacer.isKnown(name) && pacer.awaitTurn(name, deadline)) {
            LockState state = manager.inspect(name);
            if (state.status() != LockState.Status.HELD || !pacer.isStillHeldBy(name, state.leaseId())) {
                return await(request, deadline);
            }
        }
        return pacer.isKnown(name) ? Optional.empty() : await(request, deadline);
    }

    /** Its own thread gets such a lock at once, however long it has been busy for others. */
    private boolean isHeldInThisProcess(String name) {
        return manager.held().anyMatch(held -> held.name().equals(name));
    }

    private Optional<Lease> await(LockRequest request, long deadline) throws InterruptedException {
        try {
            return Optional.of(manager.acquire(request.waitTime(remaining(deadline))));
        } catch (LockBusyException busy) {
            pacer.foundBusy(request.name(), busy.holder().leaseId());
            return Optional.empty();
        }
    }

    private Duration remaining(long deadline) {
        return Duration.ofNanos(Math.max(0, deadline - nanoTime.getAsLong()));
    }

    void unlock(String name) {
        LocalLock local = heldByThisThread(name);
        try {
            local.unlock();
        } finally {
            unuse(name);
        }
    }

    LocalLock heldByThisThread(String name) {
        LocalLock local = inUse.get(name);
        if (local == null || !local.isHeldByThisThread()) {
            throw new IllegalMonitorStateException("Lock '%s' is not held by thread '%s'"
                    .formatted(name, Thread.currentThread().getName()));
        }
        return local;
    }

    String describe(String name) {
        LocalLock local = inUse.get(name);
        return local == null ? "not held here" : local.describe();
    }

    private LocalLock use(String name) {
        return inUse.compute(name, (key, local) -> (local == null ? new LocalLock(name) : local).used());
    }

    private void unuse(String name) {
        inUse.computeIfPresent(name, (key, local) -> local.unused() ? null : local);
    }

    /** Returns the number of locks that are held or waited for. */
    int size() {
        return inUse.size();
    }
}
