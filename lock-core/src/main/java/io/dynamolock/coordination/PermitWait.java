/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import io.dynamolock.Lease;
import io.dynamolock.LeasedWork;
import io.dynamolock.LockManager;
import io.dynamolock.LockRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one caller for the first of several permits that becomes free. What it acquires beyond that is released,
 * without its minimum hold.
 */
final class PermitWait implements AutoCloseable {

    /** How many permits one caller waits for at a time. */
    static final int AT_A_TIME = 8;

    /** A permit that was acquired. */
    record Won(int permit, Lease lease) {}

    private final CompletableFuture<Optional<Won>> result = new CompletableFuture<>();
    private final List<CompletableFuture<Optional<Lease>>> attempts = new ArrayList<>();
    private final AtomicInteger open;
    private boolean taken;

    /**
     * Starts to wait.
     *
     * @param order the permits, of which the first are awaited
     * @param request returns the request for a permit, with what is left of the wait time
     */
    PermitWait(LockManager locks, int[] order, IntFunction<LockRequest> request) {
        int count = Math.min(order.length, AT_A_TIME);
        this.open = new AtomicInteger(count);
        for (int i = 0; i < count; i++) {
            int permit = order[i];
            CompletableFuture<Optional<Lease>> attempt = Attempts.start(locks, request.apply(permit));
            attempts.add(attempt);
            var unused = attempt.whenComplete(
                    (lease, failure) -> ended(permit, lease == null ? null : lease.orElse(null), failure));
        }
    }

    /**
     * Shuffles the permits. Up to half of those that are awaited first are held by this process, which may release them
     * soon.
     */
    static int[] order(int permits, IntPredicate isHeldHere, IntUnaryOperator random) {
        int[] order = new int[permits];
        for (int i = 0; i < permits; i++) {
            int other = random.applyAsInt(i + 1);
            order[i] = order[other];
            order[other] = i;
        }
        int front = 0;
        for (int i = 0; i < permits && front < AT_A_TIME / 2; i++) {
            if (isHeldHere.test(order[i])) {
                int moved = order[i];
                order[i] = order[front];
                order[front] = moved;
                front++;
            }
        }
        return order;
    }

    /** {@return completes with the permit, with empty when the wait time has elapsed, or with the failure} */
    CompletableFuture<Optional<Won>> result() {
        return result;
    }

    private void ended(int permit, @Nullable Lease lease, @Nullable Throwable failure) {
        boolean last = open.decrementAndGet() == 0;
        if (lease != null) {
            if (!result.complete(Optional.of(new Won(permit, lease)))) {
                var unused = LeasedWork.endUnusedAsync(lease);
            }
        } else if (failure != null && !(failure instanceof CancellationException)) {
            result.completeExceptionally(failure);
        } else if (last) {
            result.complete(Optional.empty());
        }
    }

    /** Returns the result, which must be complete; the permit then belongs to the caller. */
    Optional<Won> take() {
        Optional<Won> won = FutureAwaiter.resultOf(result);
        taken = true;
        return won;
    }

    /** Ends the wait: a permit that nobody has taken is released, now or when it is acquired. */
    @Override
    public void close() {
        boolean wasOpen = result.cancel(false);
        attempts.forEach(attempt -> attempt.cancel(true));
        if (!wasOpen && !taken && !result.isCompletedExceptionally()) {
            result.join().ifPresent(won -> LeasedWork.endUnused(won.lease()));
        }
    }
}
