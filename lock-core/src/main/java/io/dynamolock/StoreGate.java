/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockListener.RequestOutcome;
import io.dynamolock.LockStore.Answer;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * The one way to the store: tells the clock what each answer's date says, tells the listener of each request, and turns what a
 * store throws into {@link LockStoreException}.
 */
final class StoreGate {

    private final LockStore store;
    private final LeaseClock clock;
    private final LockListener listener;
    private final RetryPolicy retryPolicy;
    private final Tasks tasks;
    private final Runnable answered;
    private final Runnable failed;
    private volatile boolean warm;

    StoreGate(
            LockStore store,
            LeaseClock clock,
            LockListener listener,
            RetryPolicy retryPolicy,
            Tasks tasks,
            Runnable answered,
            Runnable failed) {
        this.store = store;
        this.clock = clock;
        this.listener = listener;
        this.retryPolicy = retryPolicy;
        this.tasks = tasks;
        this.answered = answered;
        this.failed = failed;
    }

    /** Whether the store has answered before: the first request of a process may take a second or two by itself. */
    boolean isWarm() {
        return warm;
    }

    String describe() {
        return store.describe();
    }

    Answer acquire(String name, LockStore.Acquire write, Duration timeout) {
        return send(name, Operation.ACQUIRE, () -> store.acquire(write, timeout));
    }

    Answer renew(String name, LockStore.Renew write, Duration timeout) {
        return send(name, Operation.RENEW, () -> store.renew(write, timeout));
    }

    Answer release(String name, Operation what, LockStore.Release write, Duration timeout) {
        return send(name, what, () -> store.release(write, timeout));
    }

    Answer raiseFloor(String name, LockStore.RaiseFloor write, Duration timeout) {
        return send(name, Operation.UNDO, () -> store.raiseFloor(write, timeout));
    }

    Answer revoke(String name, String stored, String leaseId, Duration timeout) {
        return send(name, Operation.REVOKE, () -> store.revoke(stored, leaseId, timeout));
    }

    Answer read(String name, String stored, boolean consistent, Duration timeout) {
        return send(name, Operation.READ, () -> store.read(stored, consistent, timeout));
    }

    private Answer send(String name, Operation what, Supplier<Answer> request) {
        RequestOutcome outcome = RequestOutcome.FAILED;
        ClockReading sent = clock.now();
        try {
            Answer answer = request.get();
            ClockReading received = clock.now();
            clock.answered(sent, received, answer.date());
            warm = true;
            answered.run();
            outcome = answer.applied() ? RequestOutcome.OK : RequestOutcome.REFUSED;
            return answer;
        } catch (LockStoreException typed) {
            throw typed;
        } catch (Throwable untyped) {
            throw new LockStoreException(
                    name,
                    "The request %s for lock '%s' to %s failed: %s".formatted(what, name, store.describe(), untyped),
                    untyped,
                    what != Operation.READ,
                    false);
        } finally {
            if (outcome == RequestOutcome.FAILED) {
                failed.run();
            }
            listener.onRequest(name, what, outcome);
        }
    }

    RetryBudget budget(Duration patience) {
        return new RetryBudget(retryPolicy, patience);
    }

    /**
     * Sends the same request until it is answered, as the retry policy allows. Works on an interrupted thread, whose flag is
     * set again at the end.
     *
     * @param patience the whole operation takes no longer, unless its first attempt does
     */
    Answer persistently(String name, Operation what, Duration patience, Supplier<Answer> request) {
        return persistently(name, what, budget(patience), request);
    }

    Answer persistently(String name, Operation what, RetryBudget budget, Supplier<Answer> request) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                budget.sending(clock.nanos());
                try {
                    return request.get();
                } catch (LockStoreException failure) {
                    boolean cut = Thread.interrupted();
                    interrupted |= cut;
                    Duration delay = budget.failed(failure, clock.nanos(), cut);
                    if (delay == null) {
                        givingUp(name, what, failure, budget);
                        throw budget.anyUnanswered() ? failure.withUnknownOutcome() : failure;
                    }
                    retrying(name, what, failure);
                    interrupted |= tasks.pause().uninterruptibly(delay);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    void retrying(String name, Operation what, Throwable failure) {
        listener.onRetry(name, what, failure);
    }

    void givingUp(String name, Operation what, Throwable failure, RetryBudget budget) {
        if (budget.triedAgain()) {
            listener.onRetriesExhausted(name, what, failure);
        }
    }
}
