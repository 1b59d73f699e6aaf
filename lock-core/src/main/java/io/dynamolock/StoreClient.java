/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockListener.RequestOutcome;
import io.dynamolock.LockStore.Response;
import io.dynamolock.time.Scheduler;
import java.time.Duration;
import java.util.function.Function;

/**
 * Sends all requests to the store: waits for a permit where callers' requests are too many, passes the date of each
 * response to the clock, reports each request to the listener, and converts exceptions of the store to {@link
 * LockStoreException}.
 */
final class StoreClient {

    /**
     * Maximum number of requests that sample the store's clock for one operation. If that many responses cannot set the
     * clock, the request is sent without a common time.
     */
    static final int MAX_CLOCK_SAMPLES = 6;

    /** No check: the request is always sent. */
    static final Runnable UNCHECKED = () -> {};

    private final LockStore store;
    private final LeaseClock clock;
    private final LockListener listener;
    private final RetryPolicy retryPolicy;
    private final Scheduler scheduler;
    private final RequestLimit limit;
    private final Observer observer;
    private volatile boolean warm;

    /** Is informed of the response to each request, or of a {@link LockStoreException} instead of it. */
    interface Observer {

        /** Returns the number of responses so far. */
        long responses();

        void answered();

        /**
         * Called when a request has failed.
         *
         * @param responsesWhenSent the number of responses when it was sent
         */
        void failed(LockStoreException failure, long responsesWhenSent);
    }

    StoreClient(
            LockStore store,
            LeaseClock clock,
            LockListener listener,
            RetryPolicy retryPolicy,
            Scheduler scheduler,
            RequestLimit limit,
            Observer observer) {
        this.store = store;
        this.clock = clock;
        this.listener = listener;
        this.retryPolicy = retryPolicy;
        this.scheduler = scheduler;
        this.limit = limit;
        this.observer = observer;
    }

    /** Whether an acquire got a response before: the first one of a process may take seconds by itself. */
    boolean isWarm() {
        return warm;
    }

    String describe() {
        return store.describe();
    }

    Response acquire(String name, LockWrite.Acquire write, RequestTimeouts timeouts) {
        Response response = send(name, Operation.ACQUIRE, timeouts, timeout -> store.acquire(write, timeout));
        warm = true;
        return response;
    }

    /**
     * Sends a renewal. The check runs right before the request, after any wait for a permit; nothing is sent if it
     * throws.
     */
    Response renew(String name, LockWrite.Renew write, RequestTimeouts timeouts, Runnable check) {
        return send(name, Operation.RENEW, false, timeouts, check, timeout -> store.renew(write, timeout));
    }

    Response release(String name, Operation operation, LockWrite.Release write, RequestTimeouts timeouts) {
        return send(name, operation, timeouts, timeout -> store.release(write, timeout));
    }

    Response raiseFloor(String name, LockWrite.RaiseFloor write, RequestTimeouts timeouts) {
        return send(name, Operation.UNDO, timeouts, timeout -> store.raiseFloor(write, timeout));
    }

    Response revoke(String name, String storedName, String leaseId, RequestTimeouts timeouts) {
        return send(name, Operation.REVOKE, timeouts, timeout -> store.revoke(storedName, leaseId, timeout));
    }

    Response forceFree(String name, LockWrite.ForceFree write, RequestTimeouts timeouts) {
        return send(name, Operation.RELEASE, timeouts, timeout -> store.forceFree(write, timeout));
    }

    Response readToFree(String name, String storedName, RequestTimeouts timeouts) {
        return send(name, Operation.READ, timeouts, timeout -> store.readToFree(storedName, timeout));
    }

    Response read(String name, String storedName, boolean consistent, RequestTimeouts timeouts) {
        return send(name, Operation.READ, timeouts, timeout -> store.read(storedName, consistent, timeout));
    }

    Response claim(String name, LockWrite.Claim write, RequestTimeouts timeouts) {
        return send(name, Operation.CLAIM, true, timeouts, UNCHECKED, timeout -> store.claim(write, timeout));
    }

    Response withdrawClaim(String name, LockWrite.WithdrawClaim write, RequestTimeouts timeouts) {
        return send(name, Operation.CLAIM, true, timeouts, UNCHECKED, timeout -> store.withdrawClaim(write, timeout));
    }

    /** Reads for an acquisition: polls the row, or samples the store's clock. */
    Response poll(String name, String storedName, RequestTimeouts timeouts) {
        return send(name, Operation.READ, true, timeouts, UNCHECKED, timeout -> store.read(storedName, false, timeout));
    }

    private Response send(
            String name, Operation operation, RequestTimeouts timeouts, Function<Duration, Response> request) {
        return send(name, operation, operation == Operation.ACQUIRE, timeouts, UNCHECKED, request);
    }

    /**
     * Sends one request, once it has a permit.
     *
     * @param acquisition whether it serves an acquisition: then all other requests go first, and it is not sent once
     *     the manager is closed
     * @param check throws if the request must not be sent any more
     */
    private Response send(
            String name,
            Operation operation,
            boolean acquisition,
            RequestTimeouts timeouts,
            Runnable check,
            Function<Duration, Response> request) {
        boolean needsPermit = !scheduler.isOwnThread();
        Duration remaining = !needsPermit || limit.tryEnter(acquisition)
                ? timeouts.attempt()
                : awaitPermit(name, operation, acquisition, timeouts);
        RequestOutcome outcome = null;
        try {
            check.run();
            outcome = RequestOutcome.FAILED;
            Response response = sendNow(name, operation, remaining, request);
            outcome = response.applied() ? RequestOutcome.OK : RequestOutcome.REJECTED;
            return response;
        } finally {
            if (needsPermit) {
                limit.exit();
            }
            if (outcome != null) { // after the permit is returned: a listener may take long, or send a request itself
                listener.onRequest(name, operation, outcome);
            }
        }
    }

    /** Waits for a permit; returns how long the request may take after that wait. */
    private Duration awaitPermit(String name, Operation operation, boolean acquisition, RequestTimeouts timeouts) {
        long startedNanos = clock.nanos();
        String reason;
        try {
            if (limit.enter(acquisition, timeouts.total())) {
                Duration remaining = timeouts.afterWaiting(clock.nanos() - startedNanos);
                if (remaining != null) {
                    return remaining;
                }
                limit.exit();
            }
            if (acquisition && limit.isClosed()) {
                throw new LockManagerClosedException();
            }
            reason = clock.nanos() - startedNanos < RequestTimeouts.MIN_USEFUL.toNanos()
                    ? "too little of its time was left for a response"
                    : ("all %s permits were in use for the whole time allowed. Raise maxConcurrentRequests (and the connections of"
                                    + " the client), or make fewer calls at once")
                            .formatted(limit.maxRequests());
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            reason = "the thread was interrupted";
        }
        throw new LockStoreException(
                name,
                "%s of lock '%s' in %s was not sent: %s".formatted(operation, name, store.describe(), reason),
                null,
                false,
                true);
    }

    private Response sendNow(String name, Operation operation, Duration timeout, Function<Duration, Response> request) {
        long responsesBefore = observer.responses();
        ClockReading sent = clock.machine();
        try {
            Response response = request.apply(timeout);
            ClockReading received = clock.machine();
            clock.onResponse(sent, received, response.date());
            observer.answered();
            return response;
        } catch (LockStoreException failure) {
            observer.failed(failure, responsesBefore);
            throw failure.withLockName(name);
        } catch (Throwable unexpected) {
            throw new LockStoreException(
                    name,
                    "The request %s for lock '%s' to %s failed: %s"
                            .formatted(operation, name, store.describe(), unexpected),
                    unexpected,
                    operation != Operation.READ,
                    false);
        }
    }

    RetryBudget budget(Duration timeout) {
        return new RetryBudget(retryPolicy, timeout);
    }

    /** Returns a budget for several consecutive requests, all of which end by the given moment. */
    RetryBudget budget(Duration timeout, long deadlineNanos) {
        return new RetryBudget(retryPolicy, timeout, deadlineNanos);
    }

    /**
     * Sends the same request until it gets a response, as the budget allows. Works on an interrupted thread, whose flag
     * is set again at the end.
     *
     * @param attemptTimeout how long each attempt may take
     */
    Response withRetries(
            String name,
            Operation operation,
            RetryBudget budget,
            Duration attemptTimeout,
            Function<RequestTimeouts, Response> request) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                long now = clock.nanos();
                budget.sending(now);
                try {
                    Response response = request.apply(budget.timeouts(attemptTimeout, now));
                    budget.answered();
                    return response;
                } catch (LockStoreException failure) {
                    boolean interruptedNow = Thread.interrupted();
                    interrupted |= interruptedNow;
                    Duration delay = budget.failed(failure, clock.nanos(), interruptedNow);
                    if (delay == null) {
                        reportExhausted(name, operation, failure, budget);
                        throw budget.anyUnanswered() ? failure.withUnknownOutcome() : failure;
                    }
                    retrying(name, operation, failure);
                    interrupted |= scheduler.parker().awaitUninterruptibly(delay);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void retrying(String name, Operation operation, Throwable failure) {
        listener.onRetry(name, operation, failure);
    }

    /** Reads like {@link #withRetries}, and again until responses have set the clock, at most six times. */
    Response readAndSampleClock(
            String name, RetryBudget budget, Duration attemptTimeout, Function<RequestTimeouts, Response> request) {
        Response response;
        int samples = 0;
        do {
            response = withRetries(name, Operation.READ, budget, attemptTimeout, request);
            samples++;
        } while (!clock.isReady() && samples < MAX_CLOCK_SAMPLES);
        return response;
    }

    void reportExhausted(String name, Operation operation, Throwable failure, RetryBudget budget) {
        if (budget.hasRetried()) {
            listener.onRetriesExhausted(name, operation, failure);
        }
    }
}
