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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The lock of one name in this process: one of its threads, which holds the lease, has entered. */
final class LocalLock {

    private final String name;
    private final ReentrantLock guard = new ReentrantLock();
    private final Condition left = guard.newCondition();

    /** The thread that has entered. */
    private volatile @Nullable Thread owner;

    /** How often the owner has entered, and its lease; no other thread uses them. */
    private int holds;

    private @Nullable Lease lease;

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

    /**
     * Enters once more if this thread has entered.
     *
     * @throws ConcurrentModificationException if its lease is lost
     */
    boolean reenter() {
        if (!isHeldByThisThread()) {
            return false;
        }
        requireHeld(lease());
        holds++;
        return true;
    }

    /** Enters with a lease of this thread as soon as no other thread has entered; returns whether that was in time. */
    boolean enter(Lease acquired, Duration atMost) throws InterruptedException {
        guard.lock();
        try {
            if (!awaitUnlocked(atMost)) {
                return false;
            }
            owner = Thread.currentThread();
            holds = 1;
            lease = acquired;
            return true;
        } finally {
            guard.unlock();
        }
    }

    /** Waits until no thread has entered; returns whether that was in time. */
    boolean awaitUnlocked(Duration atMost) throws InterruptedException {
        long nanos = TimeUnit.NANOSECONDS.convert(atMost);
        guard.lock();
        try {
            while (owner != null && nanos > 0) {
                nanos = left.awaitNanos(nanos);
            }
            return owner == null;
        } finally {
            guard.unlock();
        }
    }

    private void leave() {
        guard.lock();
        try {
            lease = null;
            owner = null;
            left.signalAll();
        } finally {
            guard.unlock();
        }
    }

    boolean isHeldByThisThread() {
        return owner == Thread.currentThread();
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
        holds--;
        if (holds == 0) {
            try {
                release(lease());
            } finally {
                leave();
            }
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
        Thread thread = owner;
        return thread == null ? "not held here" : "held by thread '%s'".formatted(thread.getName());
    }
}
