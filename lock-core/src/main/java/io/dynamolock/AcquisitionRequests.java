/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Response;
import io.dynamolock.time.Durations;
import io.dynamolock.time.Scheduler.Rank;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the requests of one acquisition within its time: the wait time plus the call timeout, which begins with the
 * first request, as the acquisition may wait for a thread before.
 */
final class AcquisitionRequests {

    private final EngineContext context;
    private final String name;
    private final String storedName;
    private final Duration leaseDuration;
    private @Nullable RetryBudget budget;
    private long requestNanos;
    private long endNanos;
    private boolean clockIsReady;
    private int clockSamples;
    private volatile @Nullable LockStoreException lastFailure;

    AcquisitionRequests(EngineContext context, String name, String storedName, Duration leaseDuration) {
        this.context = context;
        this.name = name;
        this.storedName = storedName;
        this.leaseDuration = leaseDuration;
    }

    String storedName() {
        return storedName;
    }

    Duration leaseDuration() {
        return leaseDuration;
    }

    /** Returns when the time of the acquisition is over. */
    long endNanos() {
        return endNanos;
    }

    /** Returns why the last request failed; null if it did not. */
    @Nullable
    LockStoreException lastFailure() {
        return lastFailure;
    }

    /** Begins a request. The first one begins the call timeout. */
    void begin(ClockReading now, long deadlineNanos) {
        requestNanos = now.nanos();
        clockIsReady = now.time() != LeaseTime.OBSERVED || context.clock.isReady();
        if (budget == null) {
            Duration call = context.callTimeout(leaseDuration, clockIsReady);
            endNanos = Math.max(requestNanos, deadlineNanos) + Durations.nanos(call);
            budget = context.client.budget(call, endNanos);
        }
        budget.sending(requestNanos);
    }

    private RetryBudget budget() {
        return Objects.requireNonNull(budget);
    }

    private RequestTimeouts timeouts(Duration attempt) {
        return budget().timeouts(attempt, requestNanos);
    }

    /**
     * Counts a sample of the store's clock that comes first; returns false if none is needed. After a number of them
     * the request is sent without a common time.
     */
    boolean countClockSample() {
        if (clockSamples < StoreClient.MAX_CLOCK_SAMPLES && !clockIsReady) {
            clockSamples++;
            return true;
        }
        return false;
    }

    /**
     * Samples the store's clock by a read. Any response contains the time, but settles no request that has failed
     * before. The request has a longer timeout, as the first one of a process may be slow: half of the budget for each
     * attempt, as a response may be lost.
     */
    void sampleStoreClock() {
        context.client.poll(name, storedName, timeouts(context.clockSampleTimeout()));
    }

    Response write(LockWrite.Acquire write) {
        Response response = context.client.acquire(name, write, timeouts(context.attemptTimeout(leaseDuration)));
        answered();
        clockSamples = 0;
        return response;
    }

    Response read() {
        Response response = context.client.poll(name, storedName, timeouts(context.attemptTimeout(leaseDuration)));
        answered();
        clockSamples = 0;
        return response;
    }

    /**
     * Claims the next turn. A failure is reported and ignored: waiting goes on without a claim.
     *
     * @param left the rest of the wait time, which limits the request
     */
    void claim(TurnClaim claim, Duration left) {
        LockWrite.Claim write = new LockWrite.Claim(storedName, claim);
        RequestTimeouts timeouts = RequestTimeouts.of(Durations.min(context.attemptTimeout(leaseDuration), left));
        sendOnce(() -> context.client.claim(name, write, timeouts));
    }

    /** Withdraws a claim in the background. A failure is reported and ignored: the claim then costs its window. */
    void withdraw(TurnClaim claim) {
        LockWrite.WithdrawClaim write = new LockWrite.WithdrawClaim(storedName, claim);
        RequestTimeouts timeouts = RequestTimeouts.of(context.attemptTimeout(leaseDuration));
        boolean unused = context.scheduler.submit(
                Rank.UNDO, () -> sendOnce(() -> context.client.withdrawClaim(name, write, timeouts)));
    }

    private void sendOnce(Supplier<Response> request) {
        try {
            Response unused = request.get();
        } catch (LockStoreException failure) {
            context.client.retrying(name, Operation.CLAIM, failure);
        }
    }

    private void answered() {
        budget().answered();
        lastFailure = null;
    }

    /** Gives the next request a full budget, as it is not a retry. */
    void startOver() {
        if (lastFailure != null) {
            answered();
        }
    }

    /** Records a failure; returns after which delay to repeat the request, or null to give up. */
    @Nullable
    Duration failed(Operation what, LockStoreException thrown, long nowNanos) {
        lastFailure = thrown;
        Duration delay =
                budget().failed(thrown, nowNanos, Thread.currentThread().isInterrupted());
        if (delay == null) {
            context.client.reportExhausted(name, what, thrown, budget());
        } else {
            context.client.retrying(name, what, thrown);
        }
        return delay;
    }
}
