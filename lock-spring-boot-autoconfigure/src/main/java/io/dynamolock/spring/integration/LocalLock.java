/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.integration;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.ReleaseOutcome;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The lock of one name in this process: at most one of its threads acquires and holds the lease. */
final class LocalLock {

    /** Names the owning thread. */
    private static final class Mutex extends ReentrantLock {

        private @Nullable String ownerName() {
            Thread thread = getOwner();
            return thread == null ? null : thread.getName();
        }
    }

    private final String name;
    private final Mutex mutex = new Mutex();

    /** Written by the thread that has the mutex. */
    private volatile @Nullable Lease lease;

    /** How many threads and nested locks need this object; guarded by the map that contains it. */
    private int uses;

    LocalLock(String name) {
        this.name = name;
    }

    LocalLock used() {
        uses++;
        return this;
    }

    /** Returns whether that was the last use. */
    boolean unused() {
        uses--;
        return uses == 0;
    }

    boolean tryEnter() {
        return mutex.tryLock();
    }

    boolean enter(long nanos) throws InterruptedException {
        return mutex.tryLock(nanos, TimeUnit.NANOSECONDS);
    }

    void leave() {
        mutex.unlock();
    }

    boolean isHeldByThisThread() {
        return mutex.isHeldByCurrentThread();
    }

    /**
     * Returns whether this thread held the lock before it entered.
     *
     * @throws ConcurrentModificationException if that lock is lost
     */
    boolean isReentered() {
        if (mutex.getHoldCount() == 1) {
            return false;
        }
        requireHeld(lease());
        return true;
    }

    boolean hold(Optional<Lease> acquired) {
        lease = acquired.orElse(null);
        return acquired.isPresent();
    }

    void renew(@Nullable Duration ttl) {
        try {
            if (ttl == null) {
                lease().renew();
            } else {
                lease().renew(ttl);
            }
        } catch (LeaseLostException lost) {
            throw lost(lost);
        }
    }

    private Lease lease() {
        return Objects.requireNonNull(lease);
    }

    /** Unlocks; the outermost unlock releases the lease. */
    void unlock() {
        try {
            if (mutex.getHoldCount() == 1) {
                Lease held = lease();
                lease = null;
                release(held);
            }
        } finally {
            mutex.unlock();
        }
    }

    private void release(Lease held) {
        ConcurrentModificationException lost = null;
        try {
            requireHeld(held);
        } catch (ConcurrentModificationException before) {
            lost = before;
        }
        ReleaseOutcome outcome = held.release();
        if (lost != null) {
            throw lost;
        }
        if (outcome != ReleaseOutcome.RELEASED) {
            throw lost(null);
        }
    }

    private void requireHeld(Lease held) {
        try {
            held.ensureHeld();
        } catch (LeaseLostException lost) {
            throw lost(lost);
        }
    }

    private ConcurrentModificationException lost(@Nullable LeaseLostException loss) {
        return new ConcurrentModificationException(
                "Lock '%s' was lost before it was unlocked: another process may have changed what it protects"
                        .formatted(name),
                loss);
    }

    String describe() {
        String owner = mutex.ownerName();
        return owner == null
                ? "not held here"
                : (lease == null ? "waited for by thread '%s'" : "held by thread '%s'").formatted(owner);
    }
}
