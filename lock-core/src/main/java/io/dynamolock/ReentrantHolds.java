/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which thread holds which lock by a request that allows it to acquire it again, and how often it did. */
final class ReentrantHolds {

    private record Key(Thread thread, String name) {}

    private final Map<Key, Hold> holds = new ConcurrentHashMap<>();

    /** One lease that a thread holds one or more times. Only the count is shared, and only with that thread's handles. */
    final class Hold {

        private final Key key;
        private final HeldLease lease;
        private int count;

        private Hold(Key key, HeldLease lease) {
            this.key = key;
            this.lease = lease;
        }

        HeldLease lease() {
            return lease;
        }

        /** Gives one of the holds back; returns whether it was the last. */
        synchronized boolean leave() {
            count--;
            boolean last = count == 0;
            if (last) {
                holds.remove(key, this);
            }
            return last;
        }

        private synchronized boolean enter() {
            if (count == 0 || !lease.isHeld()) {
                return false;
            }
            count++;
            return true;
        }
    }

    /** The lease that the current thread holds, once more; null if it holds none. */
    @Nullable
    Lease again(String name) {
        Hold hold = holds.get(new Key(Thread.currentThread(), name));
        return hold != null && hold.enter() ? new ReentrantLease(hold) : null;
    }

    Lease first(String name, HeldLease lease) {
        Key key = new Key(Thread.currentThread(), name);
        Hold hold = new Hold(key, lease);
        hold.count = 1;
        holds.put(key, hold);
        return new ReentrantLease(hold);
    }
}
