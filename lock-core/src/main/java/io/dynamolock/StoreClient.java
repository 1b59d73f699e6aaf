/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockListener.RequestOutcome;
import io.dynamolock.LockStore.Answer;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.ObjLongConsumer;
import java.util.function.Supplier;

/**
 * The one way to the store: waits for a turn where callers' requests are too many, tells the clock what each answer's date says,
 * tells the listener of each request, and turns what a store throws into {@link LockStoreException}.
 */
final class StoreClient {

    /** A clock that cannot be set by so many answers in a row is not asked again: the request goes without a common time. */
    static final int MOST_QUESTIONS = 6;

    private final LockStore store;
    private final LeaseClock clock;
    private final LockListener listener;
    private final RetryPolicy retryPolicy;
    private final Scheduler scheduler;
    private final RequestLimit limit;
    private final LongSupplier responses;
    private final Runnable answered;
    private final ObjLongConsumer<LockStoreException> failed;
    private volatile boolean warm;

    StoreClient(
            LockStore store,
            LeaseClock clock,
            LockListener listener,
            RetryPolicy retryPolicy,
            Scheduler scheduler,
            RequestLimit limit,
            LongSupplier responses,
            Runnable answered,
            ObjLongConsumer<LockStoreException> failed) {
        this.store = store;
        this.clock = clock;
        this.listener = listener;
        this.retryPolicy = retryPolicy;
        this.scheduler = scheduler;
        this.limit = limit;
        this.responses = responses;
        this.answered = answered;
        this.failed = failed;
    }

    /** Whether an acquire was answered before: a process's first may take seconds by itself. */
    boolean isWarm() {
        return warm;
    }

    String describe() {
        return store.describe();
    }

    Answer acquire(String name, LockStore.Acquire write, RequestTimeouts timeouts) {
        Answer answer = send(name, Operation.ACQUIRE, timeouts, timeout -> store.acquire(write, timeout));
        warm = true;
        return answer;
    }

    /** The check comes right before the request, after any wait for a turn; nothing is sent if it throws. */
    Answer renew(String name, LockStore.Renew write, RequestTimeouts timeouts, Runnable check) {
        return send(name, Operation.RENEW, false, timeouts, check, timeout -> store.renew(write, timeout));
    }

    Answer release(String name, Operation what, LockStore.Release write, RequestTimeouts timeouts) {
        return send(name, what, timeouts, timeout -> store.release(write, timeout));
    }

    Answer raiseFloor(String name, LockStore.RaiseFloor write, RequestTimeouts timeouts) {
        return send(name, Operation.UNDO, timeouts, timeout -> store.raiseFloor(write, timeout));
    }

    Answer revoke(String name, String stored, String leaseId, RequestTimeouts timeouts) {
        return send(name, Operation.REVOKE, timeouts, timeout -> store.revoke(stored, leaseId, timeout));
    }

    Answer forceFree(String name, LockStore.ForceFree write, RequestTimeouts timeouts) {
        return send(name, Operation.RELEASE, timeouts, timeout -> store.forceFree(write, timeout));
    }

    Answer readToFree(String name, String stored, RequestTimeouts timeouts) {
        return send(name, Operation.READ, timeouts, timeout -> store.readToFree(stored, timeout));
    }

    Answer read(String name, String stored, boolean consistent, RequestTimeouts timeouts) {
        return send(name, Operation.READ, timeouts, timeout -> store.read(stored, consistent, timeout));
    }

    /** Reads for an acquisition: a look at the row, or a question for the time. */
    Answer look(String name, String stored, RequestTimeouts timeouts) {
        return send(name, Operation.READ, true, timeouts, () -> {}, timeout -> store.read(stored, false, timeout));
    }

    /** Ends the waits of acquisitions for their turns: from now on, callers send none of their requests. */
    void close() {
        limit.close();
    }

    private Answer send(String name, Operation what, RequestTimeouts timeouts, Function<Duration, Answer> request) {
        return send(name, what, what == Operation.ACQUIRE, timeouts, () -> {}, request);
    }

    /**
     * Sends one request, in its turn.
     *
     * @param acquires whether it serves an acquisition: then all others go first, and it is not sent once the manager is closed
     * @param check throws if it is not to be sent any more
     */
    private Answer send(
            String name,
            Operation what,
            boolean acquires,
            RequestTimeouts timeouts,
            Runnable check,
            Function<Duration, Answer> request) {
        if (scheduler.isOwnThread()) {
            check.run();
            return reported(name, what, () -> sendNow(name, what, () -> request.apply(timeouts.attempt())));
        }
        Duration left = awaitTurn(name, what, acquires, timeouts);
        try {
            check.run();
        } catch (RuntimeException calledOff) {
            limit.exit();
            throw calledOff;
        }
        return reported(name, what, () -> {
            try {
                return sendNow(name, what, () -> request.apply(left));
            } finally {
                limit.exit();
            }
        });
    }

    /** Returns how long the request may take now that its turn has come. */
    private Duration awaitTurn(String name, Operation what, boolean acquires, RequestTimeouts timeouts) {
        long asked = clock.nanos();
        String why;
        try {
            if (limit.enter(acquires, timeouts.inAll())) {
                Duration left = timeouts.after(clock.nanos() - asked);
                if (left != null) {
                    return left;
                }
                limit.exit();
            }
            if (acquires && limit.isClosed()) {
                throw EngineContext.closedException();
            }
            why = clock.nanos() - asked < RequestTimeouts.LEAST.toNanos()
                    ? "too little of its time was left"
                    : ("all %d turns were taken for the whole time allowed. Raise maxConcurrentRequests (and the connections of"
                                    + " the client), or make fewer calls at once")
                            .formatted(limit.most());
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
            why = "the thread was interrupted";
        }
        throw new LockStoreException(
                name,
                "%s of lock '%s' in %s was not sent: %s".formatted(what, name, store.describe(), why),
                null,
                false,
                true);
    }

    /** Reports the outcome, after the turn: a listener may take its time, or send a request itself. */
    private Answer reported(String name, Operation what, Supplier<Answer> request) {
        RequestOutcome outcome = RequestOutcome.FAILED;
        try {
            Answer answer = request.get();
            outcome = answer.applied() ? RequestOutcome.OK : RequestOutcome.REFUSED;
            return answer;
        } finally {
            listener.onRequest(name, what, outcome);
        }
    }

    private Answer sendNow(String name, Operation what, Supplier<Answer> request) {
        long responsesBefore = responses.getAsLong();
        ClockReading sent = clock.now();
        try {
            Answer answer = request.get();
            ClockReading received = clock.now();
            clock.answered(sent, received, answer.date());
            answered.run();
            return answer;
        } catch (LockStoreException typed) {
            failed.accept(typed, responsesBefore);
            throw typed.withLockName(name);
        } catch (Throwable untyped) {
            throw new LockStoreException(
                    name,
                    "The request %s for lock '%s' to %s failed: %s".formatted(what, name, store.describe(), untyped),
                    untyped,
                    what != Operation.READ,
                    false);
        }
    }

    RetryBudget budget(Duration patience) {
        return new RetryBudget(retryPolicy, patience);
    }

    /** A budget for several requests in a row, all of which are over at some moment. */
    RetryBudget budget(Duration patience, long latestNanos) {
        return new RetryBudget(retryPolicy, patience, latestNanos);
    }

    /**
     * Sends the same request until it is answered, as the budget allows. Works on an interrupted thread, whose flag is set again
     * at the end.
     *
     * @param attempt how long each attempt may take
     */
    Answer withRetries(
            String name,
            Operation what,
            RetryBudget budget,
            Duration attempt,
            Function<RequestTimeouts, Answer> request) {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                long now = clock.nanos();
                budget.sending(now);
                try {
                    Answer answer = request.apply(budget.timeouts(attempt, now));
                    budget.answered();
                    return answer;
                } catch (LockStoreException failure) {
                    boolean cut = Thread.interrupted();
                    interrupted |= cut;
                    Duration delay = budget.failed(failure, clock.nanos(), cut);
                    if (delay == null) {
                        givingUp(name, what, failure, budget);
                        throw budget.anyUnanswered() ? failure.withUnknownOutcome() : failure;
                    }
                    retrying(name, what, failure);
                    interrupted |= scheduler.parker().awaitUninterruptibly(delay);
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

    /** Reads as {@link #withRetries} does, and again until the store's time is known from the answers, at most six times. */
    Answer readAndSampleClock(
            String name, RetryBudget budget, Duration attempt, Function<RequestTimeouts, Answer> request) {
        Answer answer;
        int asked = 0;
        do {
            answer = withRetries(name, Operation.READ, budget, attempt, request);
            asked++;
        } while (!clock.isReady() && asked < MOST_QUESTIONS);
        return answer;
    }

    void givingUp(String name, Operation what, Throwable failure, RetryBudget budget) {
        if (budget.triedAgain()) {
            listener.onRetriesExhausted(name, what, failure);
        }
    }
}
