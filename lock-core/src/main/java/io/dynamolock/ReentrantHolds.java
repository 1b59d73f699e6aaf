/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Tracks which thread holds which lock by a reentrant request, and how often, until the lease ends. */
final class ReentrantHolds {

    private record Key(Thread thread, String name) {}

    private final Map<Key, Hold> holds = new ConcurrentHashMap<>();

    /** A lease that a thread holds one or more times. Only the count is shared, and only with that thread's handles. */
    static final class Hold {

        private final Key key;
        private final HeldLease lease;
        private int count;
        private boolean used;

        private Hold(Key key, HeldLease lease) {
            this.key = key;
            this.lease = lease;
        }

        HeldLease lease() {
            return lease;
        }

        /**
         * Releases one of the holds; returns whether it was the last.
         *
         * @param worked whether work has used it
         */
        synchronized boolean leave(boolean worked) {
            used |= worked;
            count--;
            return count == 0;
        }

        /** Whether work has used one of the holds that were released. */
        synchronized boolean isUsed() {
            return used;
        }

        private synchronized boolean isHeld() {
            return count > 0 && lease.isHeld();
        }

        private synchronized boolean enter() {
            boolean held = isHeld();
            if (held) {
                count++;
            }
            return held;
        }
    }

    /** Returns another handle on the lease that the current thread holds; null if it holds none. */
    @Nullable
    Lease reenter(String name, OnLost policy) {
        Hold hold = holds.get(new Key(Thread.currentThread(), name));
        return hold != null && hold.enter() ? new ReentrantLease(hold, policy) : null;
    }

    /** Returns whether the current thread holds a lock. */
    boolean isHeld(String name) {
        Hold hold = holds.get(new Key(Thread.currentThread(), name));
        return hold != null && hold.isHeld();
    }

    /** Forgets a lease that is released, detached or lost, also with handles still open. */
    void ended(HeldLease lease) {
        Hold hold = lease.hold;
        if (hold != null) {
            holds.remove(hold.key, hold); // unless its thread has acquired the lock anew
        }
    }

    /** Returns how many leases are known. */
    int size() {
        return holds.size();
    }

    Lease register(String name, HeldLease lease) {
        Key key = new Key(Thread.currentThread(), name);
        Hold hold = new Hold(key, lease);
        hold.count = 1;
        holds.put(key, hold);
        lease.hold = hold;
        if (!lease.isHeld()) {
            ended(lease); // before it was known here
        }
        return new ReentrantLease(hold, lease.policy());
    }
}
