/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.Lease;
import io.dynamolock.LockDiagnostics;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import io.dynamolock.LockState;
import io.dynamolock.LockStoreException;
import io.dynamolock.OnLost;
import io.dynamolock.ReleaseOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Fixes the number of permits of a semaphore in a row of its own, which is kept forever. The first process writes the
 * number, every other process compares its own before its first acquisition: processes with different numbers would not
 * exclude each other.
 */
final class FixedNumber {

    private static final String KEY = "permits";
    private static final String ROW = "#permits";
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(10);

    /** Waits of growing length, the last of 640 ms. */
    private static final int LEAST_WAITS = 7;

    private static final Duration LEAST_TIME = Duration.ofMillis(1_300);

    /** After that time, the attempt of another thread counts as one that has failed. */
    private static final Duration LONGEST_ATTEMPT = Duration.ofSeconds(1);

    private final LockManager locks;
    private final LockRequest request;
    private final String name;
    private final String counted;
    private final int number;
    private final FutureAwaiter awaiter;
    private final LongSupplier nanoTime;

    /** The attempt that a thread is making, which ends with a failure that other threads would have, too. */
    private final AtomicReference<@Nullable CompletableFuture<Optional<RuntimeException>>> attempt =
            new AtomicReference<>();

    private volatile boolean verified;

    /**
     * Creates the number.
     *
     * @param semaphore the name of the semaphore, from which that of the row is derived
     * @param name the name of the primitive, for messages
     * @param counted what is counted, for messages
     */
    FixedNumber(LockManager locks, String semaphore, String name, String counted, int number, FutureAwaiter awaiter) {
        this.locks = locks;
        this.request = LockRequest.of(semaphore + ROW)
                .metadata(Map.of(KEY, Integer.toString(number)))
                .onLost(OnLost.EVENT);
        this.name = name;
        this.counted = counted;
        this.number = number;
        this.awaiter = awaiter;
        this.nanoTime = LockDiagnostics.clockOf(locks);
    }

    /** Returns the request for the row of the number, whose name is longer than that of a permit. */
    LockRequest request() {
        return request;
    }

    /**
     * Verifies the number for a single attempt: like {@link #verify(Duration)} without a wait time, except that an
     * interrupt ends the wait for another writer without an exception of its own, and is preserved.
     */
    void verify() {
        try {
            verify(Duration.ZERO);
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            verified = isRecorded() || isRecordedWith(Attempts.now(locks, request));
            if (!verified) {
                throw notRecorded();
            }
        }
    }

    /**
     * Verifies the number once. No permit may be given out before, as another number can follow after the lease of a
     * writer that has crashed. Waits for another writer as long as the caller would wait for a permit, but at least 1.3
     * seconds.
     *
     * @throws InterruptedException if the thread is interrupted meanwhile
     * @throws IllegalStateException if the row has another number
     * @throws LockStoreException if the store failed, or another writer has not kept the row
     */
    void verify(Duration waitTime) throws InterruptedException {
        if (verified) {
            return;
        }
        Countdown countdown = new Countdown(nanoTime, waitTime.compareTo(LEAST_TIME) > 0 ? waitTime : LEAST_TIME);
        for (int i = 0; !verified; i++) {
            Duration left = countdown.remaining();
            boolean last = i > LEAST_WAITS && left.isZero();
            Duration wait = i == 0 ? Duration.ZERO : SHORTEST_WAIT.multipliedBy(1L << (Math.min(i, LEAST_WAITS) - 1));
            verifyAlone(i > LEAST_WAITS && wait.compareTo(left) > 0 ? left : wait);
            if (last && !verified) {
                throw notRecorded();
            }
        }
    }

    /** Makes one attempt; while another thread makes one, awaits that instead. */
    private void verifyAlone(Duration wait) throws InterruptedException {
        CompletableFuture<Optional<RuntimeException>> mine = new CompletableFuture<>();
        CompletableFuture<Optional<RuntimeException>> other = attempt.compareAndExchange(null, mine);
        if (other == null) {
            verifyNow(wait, mine);
        } else if (awaiter.isDone(other, LONGEST_ATTEMPT)) {
            other.join().ifPresent(failure -> {
                throw failure;
            });
        }
    }

    private void verifyNow(Duration wait, CompletableFuture<Optional<RuntimeException>> end)
            throws InterruptedException {
        try {
            verified = verified || isRecorded() || isRecordedWith(locks.tryAcquire(request.waitTime(wait)));
        } catch (RuntimeException failure) {
            end.complete(Optional.of(failure));
            throw failure;
        } finally {
            attempt.set(null);
            end.complete(Optional.empty()); // no effect after a failure
        }
    }

    private boolean isRecorded() {
        LockState state = locks.inspect(request.name());
        if (state.status() != LockState.Status.HELD) {
            return false;
        }
        requireNumber(state.metadata().get(KEY));
        return state.kept();
    }

    private static boolean isRecordedWith(Optional<Lease> lease) {
        return lease.isPresent() && lease.get().release(Lease.LONGEST_KEEP) == ReleaseOutcome.RELEASED;
    }

    private LockStoreException notRecorded() {
        return new LockStoreException(
                request.name(),
                ("The number of %s of '%s' is not recorded yet: another process or thread is writing it, or has crashed"
                                + " meanwhile. Allow a longer wait time, or try again when its lease has expired")
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
