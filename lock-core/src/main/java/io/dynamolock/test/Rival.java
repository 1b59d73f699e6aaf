/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.test;

import io.dynamolock.Lease;
import io.dynamolock.LeaseLostException;
import io.dynamolock.LockManager;
import io.dynamolock.LockStore;
import io.dynamolock.LockStoreException;
import io.dynamolock.time.TestClock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Simulates another process in a test: it has its own lock manager on the same store. It keeps its locks, however far
 * the clock is {@linkplain TestClock#advance advanced}, until it releases them or crashes. Thread-safe.
 *
 * @since 0.1
 */
public final class Rival implements AutoCloseable {

    /** The owner of the locks that it holds. */
    public static final String OWNER = "rival";

    private static final int MOST_ATTEMPTS = 20;
    private static final Duration ATTEMPT = Duration.ofMillis(500);

    private final Map<String, Lease> leases = new ConcurrentHashMap<>();
    private final LockManager manager;

    /**
     * Creates a rival with a given manager.
     *
     * @param manager not the manager under test, but on the same store, with the same clock and name prefix; closed
     *     with the rival
     */
    public Rival(LockManager manager) {
        this.manager = manager;
    }

    /**
     * Creates a rival whose manager has the default settings.
     *
     * @param store the store of the manager under test
     * @param clock the clock of the manager under test
     * @return a rival, which the caller must close
     */
    public static Rival on(LockStore store, TestClock clock) {
        return new Rival(
                LockManager.builder(store).testClock(clock).owner(OWNER).build());
    }

    /**
     * Acquires a lock and keeps it.
     *
     * @param name the lock name
     * @return the lease
     * @throws IllegalStateException if this rival or another lease holds the lock, or if it is reserved for a process
     *     that waits
     */
    public Lease hold(String name) {
        return kept(manager.tryAcquire(name).orElseThrow(() -> new IllegalStateException(whyNot(name))));
    }

    private String whyNot(String name) {
        Lease lease = leases.get(name);
        return lease != null && lease.isHeld()
                ? "The rival already holds lock '%s'".formatted(name)
                : "The rival cannot hold lock '%s': %s; use steal(..) to take it over"
                        .formatted(name, reason(manager.inspect(name).owner()));
    }

    private static String reason(@Nullable String owner) {
        return owner == null ? "it is reserved for a process that waits for it" : "'%s' holds it".formatted(owner);
    }

    private Lease kept(Lease lease) {
        leases.put(lease.name(), lease);
        return lease;
    }

    /**
     * Acquires a lock and keeps it, even if another lease holds it, or other processes wait for it. The previous holder
     * detects the loss at its next renewal, or when it verifies its lease with the store.
     *
     * @param name the lock name
     * @return the lease
     * @throws LockStoreException if the store failed
     */
    public Lease steal(String name) {
        for (int attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
            try {
                manager.forceFree(name); // also from the claim of a process that waits
                Optional<Lease> lease = acquire(name);
                if (lease.isPresent()) {
                    return kept(lease.get());
                }
            } catch (LockStoreException failure) {
                // once more only if the row was changed meanwhile
                if (!failure.isAnswered() || !failure.isRetryable()) {
                    throw failure;
                }
            }
        }
        manager.forceFree(name);
        return hold(name);
    }

    /** Waits for a moment if the lock is reserved, unless the thread is interrupted. */
    private Optional<Lease> acquire(String name) {
        try {
            return manager.tryAcquire(name, ATTEMPT);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            return manager.tryAcquire(name);
        }
    }

    /**
     * Releases a lock. Does nothing if the lock was taken from this rival.
     *
     * @param name the lock name
     * @throws IllegalStateException if this rival has not acquired the lock, or has released it, or has crashed since
     */
    public void release(String name) {
        if (!released(name)) {
            String held = leases.values().stream()
                    .filter(Lease::isHeld)
                    .map(lease -> "'%s'".formatted(lease.name()))
                    .sorted()
                    .collect(Collectors.joining(", "));
            throw new IllegalStateException(
                    "The rival does not hold lock '%s': it holds %s".formatted(name, held.isEmpty() ? "none" : held));
        }
    }

    private boolean released(String name) {
        Lease lease = leases.remove(name);
        if (lease != null) {
            lease.close();
        }
        return lease != null;
    }

    /** Releases all its locks. */
    public void releaseAll() {
        leases.keySet().forEach(this::released);
    }

    /** Stops renewing without releasing: each lock can be taken over when its lease has expired. */
    public void crash() {
        leases.values().stream().filter(Lease::isHeld).forEach(Rival::stopRenewing);
        leases.clear();
    }

    private static void stopRenewing(Lease lease) {
        try {
            var unused = lease.detach();
        } catch (LeaseLostException | LockStoreException endedOtherwise) {
            // not held any more either
        }
    }

    /** Releases all its locks and closes its manager. */
    @Override
    public void close() {
        releaseAll();
        manager.close();
    }
}
