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
        String name = request.name();
        LocalLock local = use(name);
        boolean locked = false;
        try {
            locked = isHolder(local, request)
                    || (local.tryEnter() && acquired(local, () -> manager.tryAcquire(request.waitTime(Duration.ZERO))));
        } catch (InterruptedException impossibleWithoutWait) {
            Thread.currentThread().interrupt();
        } finally {
            if (!locked) {
                unuse(name);
            }
        }
        return locked;
    }

    /** Locks, or waits for at most the given time, which is positive. */
    boolean lock(LockRequest request, Duration wait) throws InterruptedException {
        String name = request.name();
        long nanos = TimeUnit.NANOSECONDS.convert(wait);
        long deadline = nanoTime.getAsLong() + nanos;
        LocalLock local = use(name);
        boolean locked = false;
        try {
            locked = isHolder(local, request)
                    || (local.enter(nanos) && acquired(local, () -> acquire(request, wait, deadline)));
        } finally {
            if (!locked) {
                unuse(name);
            }
        }
        return locked;
    }

    private interface Acquisition {
        Optional<Lease> acquire() throws InterruptedException;
    }

    /**
     * Locks for a thread that holds the lock, through this registry or by other means: it must not wait for threads that
     * wait for its lease.
     */
    private boolean isHolder(LocalLock local, LockRequest request) throws InterruptedException {
        return local.reenter()
                || (manager.diagnostics()
                                .filter(own -> own.isHeldByThisThread(request.name()))
                                .isPresent()
                        && local.hold(manager.tryAcquire(request.waitTime(Duration.ZERO))));
    }

    /** Acquires the lease for a thread that has entered; it leaves again if that fails. */
    private static boolean acquired(LocalLock local, Acquisition acquisition) throws InterruptedException {
        boolean acquired = false;
        try {
            acquired = local.hold(acquisition.acquire());
        } finally {
            if (!acquired) {
                local.leave();
            }
        }
        return acquired;
    }

    private Optional<Lease> acquire(LockRequest request, Duration wait, long deadline) throws InterruptedException {
        if (!BusyLockPacer.isPaced(wait)) {
            return manager.tryAcquire(request.waitTime(remaining(deadline)));
        }
        String name = request.name();
        while (pacer.isKnown(name) && pacer.awaitTurn(name, deadline)) {
            LockState state = manager.inspect(name);
            if (state.status() != LockState.Status.HELD || !pacer.isStillHeldBy(name, state.leaseId())) {
                return await(request, deadline);
            }
        }
        return pacer.isKnown(name) ? Optional.empty() : await(request, deadline);
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
            throw new IllegalMonitorStateException(
                    "Lock '%s' is not held by thread '%s'".formatted(name, LocalLock.nameOf(Thread.currentThread())));
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
