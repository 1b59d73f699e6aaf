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

    /** The leases, the latest first; no entry is empty. Only its thread changes an entry. */
    private final Map<Key, Deque<Lease>> holds = new ConcurrentHashMap<>();

    /** Adds a hold of the current thread. */
    void push(List<String> names, Lease lease) {
        holds.computeIfAbsent(new Key(Thread.currentThread(), names), key -> new ConcurrentLinkedDeque<>())
                .push(lease);
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
