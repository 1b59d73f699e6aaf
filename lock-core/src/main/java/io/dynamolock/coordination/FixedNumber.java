/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.Lease;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import io.dynamolock.LockStoreException;
import io.dynamolock.OnLost;
import io.dynamolock.ReleaseOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Fixes the number of permits of a semaphore in a row of its own, which is kept forever. The first process writes the
 * number, every other process compares its own before its first acquisition: processes with different numbers would not
 * exclude each other.
 */
final class FixedNumber {

    private static final String KEY = "permits";
    private static final String ROW = "#permits";
    private static final int WAITS = 6;
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(10);

    private final LockManager locks;
    private final LockRequest request;
    private final String name;
    private final String counted;
    private final int number;
    private volatile boolean verified;

    private FixedNumber(LockManager locks, String row, String name, String counted, int number) {
        this.locks = locks;
        this.request = LockRequest.of(row)
                .metadata(Map.of(KEY, Integer.toString(number)))
                .onLost(OnLost.EVENT);
        this.name = name;
        this.counted = counted;
        this.number = number;
    }

    static FixedNumber ofPermits(LockManager locks, String semaphore, int permits) {
        return new FixedNumber(locks, semaphore + ROW, semaphore, "permits", permits);
    }

    /**
     * Returns the number of a read-write lock.
     *
     * @param semaphore the name of the semaphore of its readers
     */
    static FixedNumber ofReaders(LockManager locks, String semaphore, String name, int readers) {
        return new FixedNumber(locks, semaphore + ROW, name, "readers", readers);
    }

    /** Returns the request for the row of the number, whose name is longer than that of a permit. */
    LockRequest request() {
        return request;
    }

    /**
     * Verifies the number once. No permit may be given out before, as another number can follow after the lease of a
     * writer that has crashed. Waits up to 1.3 seconds for another writer.
     *
     * @throws IllegalStateException if the row has another number
     * @throws LockStoreException if the store failed, or another writer has not kept the row
     */
    void verify() {
        for (int i = 0; i <= WAITS && !verified; i++) {
            verifyNow(SHORTEST_WAIT.multipliedBy(1L << i));
        }
        if (!verified) {
            throw notRecorded();
        }
    }

    private void verifyNow(Duration wait) {
        LockState state = locks.inspect(request.name());
        if (state.status() != LockState.Status.HELD) {
            write(Duration.ZERO);
            return;
        }
        requireNumber(state.metadata().get(KEY));
        verified = state.kept();
        if (!verified) {
            write(wait); // if its writer does not keep it meanwhile
        }
    }

    private void write(Duration wait) {
        Optional<Lease> lease = Attempts.within(locks, request.waitTime(wait));
        if (lease.isPresent()) {
            verified = lease.get().release(Lease.LONGEST_KEEP) == ReleaseOutcome.RELEASED;
        }
    }

    private LockStoreException notRecorded() {
        return new LockStoreException(
                request.name(),
                "The number of %s of '%s' is not recorded yet: another process is writing it, or has crashed meanwhile"
                        .formatted(counted, name),
                null,
                false,
                true);
    }

    private void requireNumber(@Nullable String stored) {
        if (!Integer.toString(number).equals(stored)) {
            throw new IllegalStateException(
                    ("'%s' is used with %s %s, but its row says %s. Use that number; or, to change it, stop all processes"
                                    + " that use '%s' and free its row: LockManager.forceFree(\"%s\")")
                            .formatted(name, number, counted, stored == null ? "none" : stored, name, request.name()));
        }
    }
}
