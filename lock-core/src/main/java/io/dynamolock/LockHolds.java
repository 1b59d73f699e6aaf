/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.jspecify.annotations.Nullable;

/**
 * Which thread holds which locks of a manager in the form of {@link java.util.concurrent.locks.Lock}, through whatever
 * object.
 */
final class LockHolds {

    private record Key(Thread thread, List<String> names) {}

    private static final int FIRST_PURGE = 64;

    /** The leases, the latest first; no entry is empty. Only its thread changes an entry, while it is alive. */
    private final Map<Key, Deque<Lease>> holds = new ConcurrentHashMap<>();

    /** The number of entries from which they are purged. */
    private volatile int nextPurge = FIRST_PURGE;

    /** Adds a hold of the current thread. */
    void push(List<String> names, Lease lease) {
        holds.computeIfAbsent(new Key(Thread.currentThread(), names), key -> new ConcurrentLinkedDeque<>())
                .push(lease);
        if (holds.size() >= nextPurge) {
            purge();
        }
    }

    /** Forgets the lost leases of threads that ended without unlocking. A live one has yet to learn of its loss. */
    private void purge() {
        holds.entrySet()
                .removeIf(hold -> !hold.getKey().thread.isAlive()
                        && hold.getValue().stream().noneMatch(Lease::isHeld));
        nextPurge = Math.max(FIRST_PURGE, 2 * holds.size());
    }

    /** Ends the latest hold of the current thread; returns null if it has none. */
    @Nullable
    Lease pop(List<String> names) {
        Key key = new Key(Thread.currentThread(), names);
        Deque<Lease> own = holds.get(key);
        if (own == null) {
            return null;
        }
        Lease lease = own.pop();
        if (own.isEmpty()) {
            holds.remove(key);
        }
        return lease;
    }

    /** Names the threads that hold a lock. More than one thread has holds if the lease of another one was lost. */
    List<String> holders(List<String> names) {
        return holds.entrySet().stream()
                .filter(hold -> hold.getKey().names.equals(names)
                        && hold.getValue().stream().anyMatch(Lease::isHeld))
                .map(hold -> Texts.nameOf(hold.getKey().thread))
                .toList();
    }

    /** Returns how many threads and locks are remembered. */
    int size() {
        return holds.size();
    }
}
