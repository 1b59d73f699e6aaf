/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Parker;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import org.jspecify.annotations.Nullable;

/**
 * A distributed lock in the form of {@link Lock}, owned by threads: the manager's reentrant leases exclude threads and
 * count their holds, and {@link LockHolds} remembers which thread has which.
 */
final class LeaseLock implements Lock {

    private final LockManager locks;
    private final LockRequest request;
    private final LockHolds holds;

    LeaseLock(LockManager locks, LockRequest request, LockHolds holds) {
        this.locks = locks;
        this.request = Objects.requireNonNull(request, "request").reentrant(true);
        this.holds = holds;
    }

    @Override
    public void lock() {
        boolean interrupted = Thread.interrupted();
        try {
            while (!acquireUnlessInterrupted(Parker.FOREVER)) {
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Acquires the lock; returns false, with the interrupt flag set, if the thread is interrupted meanwhile. */
    private boolean acquireUnlessInterrupted(Duration waitTime) {
        try {
            return tryAcquire(waitTime);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void lockInterruptibly() throws InterruptedException {
        throwIfInterrupted();
        boolean acquired;
        do {
            acquired = tryAcquire(Parker.FOREVER);
        } while (!acquired);
    }

    @Override
    public boolean tryLock() {
        return acquireUnlessInterrupted(Duration.ZERO);
    }

    @Override
    public boolean tryLock(long time, TimeUnit unit) throws InterruptedException {
        Objects.requireNonNull(unit, "unit");
        throwIfInterrupted();
        return tryAcquire(Duration.ofNanos(Math.max(0, unit.toNanos(time))));
    }

    private static void throwIfInterrupted() throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
    }

    private boolean tryAcquire(Duration waitTime) throws InterruptedException {
        Lease lease = locks.tryAcquire(request.waitTime(waitTime)).orElse(null);
        if (lease == null) {
            return false;
        }
        holds.push(request.names(), lease);
        return true;
    }

    @Override
    public void unlock() {
        Lease lease = holds.pop(request.names());
        if (lease == null) {
            throw new IllegalMonitorStateException(
                    "Thread '%s' does not hold lock '%s'".formatted(Texts.nameOf(Thread.currentThread()), name()));
        }
        LeaseLostException lost = lossOf(lease);
        if (lost == null) {
            release(lease);
            return;
        }
        try {
            lease.close();
        } catch (RuntimeException failure) {
            lost.addSuppressed(failure);
        }
        throw lost;
    }

    private static @Nullable LeaseLostException lossOf(Lease lease) {
        try {
            lease.ensureHeld();
            return null;
        } catch (LeaseLostException lost) {
            return lost;
        }
    }

    /** Releases a lease that this process believes to be held. */
    private static void release(Lease lease) {
        ReleaseOutcome outcome = lease.release();
        if (outcome != ReleaseOutcome.RELEASED) {
            throw LeasedWork.lossAtRelease(lease);
        }
    }

    @Override
    public Condition newCondition() {
        throw new UnsupportedOperationException("A distributed lock has no conditions");
    }

    private String name() {
        return String.join(", ", request.names());
    }

    /** Names the threads that hold the lock. */
    @Override
    public String toString() {
        String holders = String.join(", ", holds.holders(request.names()));
        return "Lock[%s, %s]".formatted(name(), holders.isEmpty() ? "not locked here" : "locked by thread " + holders);
    }
}
