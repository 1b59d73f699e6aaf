/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.integration;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LeasedWork;
import io.dynamolock.ReleaseOutcome;
import java.time.Duration;
import java.util.ConcurrentModificationException;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The lock of one name in this process: at most one of its threads acquires the lease. A thread that has the lease by
 * other means holds the lock beside one that waits for the lease.
 */
final class LocalLock {

    /** Names the owning thread. */
    private static final class Mutex extends ReentrantLock {

        private @Nullable String ownerName() {
            Thread thread = getOwner();
            return thread == null ? null : nameOf(thread);
        }
    }

    /** A lease, and how often its thread has locked; only that thread changes it. */
    private static final class Hold {

        private final Lease lease;
        private int count = 1;

        private Hold(Lease lease) {
            this.lease = lease;
        }
    }

    private final String name;
    private final Mutex mutex = new Mutex();
    private final Map<Thread, Hold> holds = new ConcurrentHashMap<>();

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
        return holds.containsKey(Thread.currentThread());
    }

    /**
     * Locks once more if this thread holds the lock.
     *
     * @throws ConcurrentModificationException if it is lost
     */
    boolean reenter() {
        Hold own = holds.get(Thread.currentThread());
        if (own == null) {
            return false;
        }
        requireHeld(own.lease);
        own.count++;
        return true;
    }

    boolean hold(Optional<Lease> acquired) {
        acquired.ifPresent(lease -> holds.put(Thread.currentThread(), new Hold(lease)));
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
        return own().lease;
    }

    private Hold own() {
        return Objects.requireNonNull(holds.get(Thread.currentThread()));
    }

    /** Unlocks; the outermost unlock releases the lease. */
    void unlock() {
        Hold own = own();
        own.count--;
        if (own.count > 0) {
            return;
        }
        holds.remove(Thread.currentThread());
        try {
            release(own.lease);
        } finally {
            if (mutex.isHeldByCurrentThread()) {
                mutex.unlock();
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
            throw lost(LeasedWork.lossAtRelease(held));
        }
    }

    private void requireHeld(Lease held) {
        try {
            held.ensureHeld();
        } catch (LeaseLostException lost) {
            throw lost(lost);
        }
    }

    private ConcurrentModificationException lost(LeaseLostException loss) {
        return new ConcurrentModificationException(
                "Lock '%s' was lost before it was unlocked: another process may have changed what it protects"
                        .formatted(name),
                loss);
    }

    /** Virtual threads have no name by default. */
    static String nameOf(Thread thread) {
        return thread.getName().isEmpty() ? "#" + thread.getId() : thread.getName();
    }

    String describe() {
        String holders = holds.keySet().stream().map(LocalLock::nameOf).collect(Collectors.joining(", "));
        if (!holders.isEmpty()) {
            return "held by thread '%s'".formatted(holders);
        }
        String first = mutex.ownerName();
        return first == null ? "not held here" : "waited for by thread '%s'".formatted(first);
    }
}
