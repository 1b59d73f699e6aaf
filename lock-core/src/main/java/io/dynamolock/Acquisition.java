/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.AcquisitionAttempt.Outcome;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One acquisition of one lock, as a state machine that ends with a lease, a busy lock or a failure. Each
 * {@link #advance()} does what is due on the calling thread, one request at a time; no thread is needed between the
 * calls:
 *
 * <ol>
 *   <li>Writes once, unless other callers in this JVM already wait for the lock, or attempt to acquire it.
 *   <li>If the lock is busy, joins the queue. The first waiter polls by reading, and once more when the wait time has
 *       elapsed.
 *   <li>When the row is free, has expired, or was released in this JVM, writes again.
 *   <li>Repeats a failed request with the same values, as the retry policy decides.
 * </ol>
 *
 * <p>Ends within the wait time plus the call timeout. Driven by one thread at a time; {@link #abandon()} may be called
 * from any thread.
 */
final class Acquisition {

    private static final Logger LOG = LoggerFactory.getLogger(Acquisition.class);

    private final EngineContext context;
    private final AcquireContext.Hooks hooks;
    private final LockRequest request;
    private final AcquisitionDriver driver;
    private final long startedNanos;
    private long deadlineNanos;
    private long wakeNanos;
    private final NextRequest next;
    private final AcquisitionRequests requests;
    private final AcquisitionAttempt attempt;
    private final AcquisitionWait wait;

    private volatile boolean abandoned;
    private @Nullable RuntimeException rejection;
    private boolean done;
    private @Nullable HeldLease won;
    private @Nullable LockState busy;
    private @Nullable RuntimeException failure;

    Acquisition(AcquireContext acquire, LockRequest request, @Nullable Thread holder, AcquisitionDriver driver) {
        this.context = acquire.engine();
        this.hooks = acquire.hooks();
        this.request = request;
        this.driver = driver;
        String storedName = context.names.toStored(request.name());
        this.requests = new AcquisitionRequests(context, request.name(), storedName, context.settings.leaseOf(request));
        Duration limit = context.waitOf(request);
        this.startedNanos = context.clock.nanos();
        this.deadlineNanos = startedNanos + Durations.nanos(limit);
        this.wakeNanos = startedNanos;
        this.next = new NextRequest(startedNanos);
        this.attempt = new AcquisitionAttempt(
                acquire, requests, request, holder, startedNanos, () -> abandoned || isRejected());
        this.wait = new AcquisitionWait(requests, context, request, holder, startedNanos, next, driver, hooks);
        hooks.acquisitionBegun(driver);
    }

    boolean isDone() {
        return done;
    }

    /** Returns why the last request failed; null if it did not. */
    @Nullable
    LockStoreException lastFailure() {
        return requests.lastFailure();
    }

    boolean hasFailed() {
        return failure != null;
    }

    /** Returns when to advance again, unless woken earlier. */
    long wakeNanos() {
        return wakeNanos;
    }

    /** Returns the lease; null if the lock was busy. */
    @Nullable
    HeldLease result() {
        if (failure != null) {
            throw failure;
        }
        return won;
    }

    /** Returns the lease, or throws LockBusyException with the holder; couldReenter adds how to re-enter. */
    HeldLease lease(boolean couldReenter) {
        HeldLease lease = result();
        if (lease == null) {
            LockState holder = Objects.requireNonNull(busy);
            throw new LockBusyException(holder, hooks.isOwnLease(holder.leaseId()), couldReenter);
        }
        return lease;
    }

    /** Abandons the acquisition at its next step. A lease that it has, or may have, by then is released. */
    void abandon() {
        abandoned = true;
        wait.leave(false); // immediately, as the next advance() may come much later
    }

    /** Ends the wait time now. */
    void endWait() {
        long now = context.clock.nanos();
        deadlineNanos = now - deadlineNanos < 0 ? now : deadlineNanos;
    }

    void advance() {
        try {
            while (!done && step()) {
                // repeat while something is due
            }
        } catch (Throwable unexpected) {
            failUnexpectedly(unexpected);
            if (unexpected instanceof Error error) {
                throw error;
            }
        }
    }

    /** Fails the acquisition because no thread can be started, or because of a bug, unless it is done. */
    void failUnexpectedly(Throwable unexpected) {
        if (done) {
            LOG.warn("Cleaning up after the acquisition of lock '{}' failed", request.name(), unexpected);
        } else {
            fail(unexpected instanceof RuntimeException typed ? typed : new IllegalStateException(unexpected));
        }
    }

    /** Does what is due; returns whether more may be due. */
    private boolean step() {
        if (isRejected()) {
            fail(Objects.requireNonNull(rejection));
            return false;
        }
        if (abandoned) {
            fail(new CancellationException("The acquisition of lock '%s' was abandoned".formatted(request.name())));
            return false;
        }
        ClockReading now = context.clock.now();
        boolean overdue = isOverdue(now.nanos());
        if (overdue && !scheduleLastRequest(now)) {
            waitTimeElapsed();
            return false;
        }
        if (!overdue && !takeTurn(now)) {
            wakeNanos = wait.nextTurnNanos(now, deadlineNanos);
            return false;
        }
        if (now.nanos() - next.nanos() < 0) {
            boolean afterDeadline = wait.hasBegun() && !overdue && next.nanos() - deadlineNanos > 0;
            wakeNanos = afterDeadline ? deadlineNanos : next.nanos();
            return false;
        }
        if (!overdue && !wait.beginFirstAttempt()) {
            wait.enqueue(now);
            return true;
        }
        send(now);
        return !Thread.currentThread().isInterrupted();
    }

    private boolean isOverdue(long nanos) {
        return wait.hasBegun() && nanos - deadlineNanos >= 0;
    }

    /** Whether the manager rejects acquisitions, or has done so meanwhile. */
    private boolean isRejected() {
        if (rejection == null) {
            rejection = hooks.rejection();
        }
        return rejection != null;
    }

    /** Takes the turn to send a request. Without a turn, a pending request is dropped and its retries start over. */
    private boolean takeTurn(ClockReading now) {
        boolean hasTurn = !wait.isQueued() || attempt.mustGoOn() || wait.takeTurn(now);
        if (!hasTurn) {
            attempt.startOver();
            requests.startOver();
        }
        return hasTurn;
    }

    /**
     * Schedules one more request after the wait time has elapsed; returns false if none is left. The lock may be free:
     * the first waiter polls only at intervals, and no request may have been sent since this acquisition began. A
     * failed request is repeated, unless it only polled a lock that is known to be held.
     */
    private boolean scheduleLastRequest(ClockReading now) {
        boolean failed = requests.lastFailure() != null;
        return attempt.mustGoOn() || (failed ? next.isWrite() || !wait.isKnownToBeHeld() : wait.scheduleLastPoll(now));
    }

    private void send(ClockReading now) {
        requests.begin(now, deadlineNanos);
        wait.requestSent(now.nanos());
        Operation operation = Operation.READ;
        try {
            if (requests.countClockSample()) {
                requests.sampleStoreClock();
                return;
            }
            next.sent();
            if (next.isWrite()) {
                operation = Operation.ACQUIRE;
                judge(attempt.write(now));
            } else {
                wait.poll(deadlineNanos);
            }
        } catch (LockStoreException thrown) {
            failed(operation, thrown);
        }
    }

    private void judge(Outcome outcome) {
        if (outcome instanceof Outcome.Acquired acquired) {
            acquired(acquired);
        } else if (outcome instanceof Outcome.Busy held) {
            busy(held.row(), held.now());
        } else if (outcome instanceof Outcome.Retry retry) {
            next.writeAt(retry.nanos());
        } else if (outcome instanceof Outcome.Failed failed) {
            fail(failed.failure());
        }
    }

    private void acquired(Outcome.Acquired acquired) {
        won = acquired.lease();
        wait.acquired(acquired.write());
        finish();
        context.listener.onAcquired(acquired.lease(), since(startedNanos), wait.waited());
    }

    private void busy(LockRow row, ClockReading now) {
        if (!wait.rejected(row, now)) {
            waitTimeElapsed();
        }
    }

    private void failed(Operation what, LockStoreException thrown) {
        long now = context.clock.nanos();
        Duration delay = requests.failed(what, thrown, now);
        boolean endsAsBusy = isOverdue(now) && !next.isWrite() && thrown.isRetryable() && wait.isKnownToBeHeld();
        if (delay != null) {
            next.retryAt(now + Durations.nanos(delay));
        } else if (attempt.isOpen() || !(isRejected() || endsAsBusy)) {
            fail(thrown); // otherwise the next step ends it: rejected, or busy
        }
    }

    private void waitTimeElapsed() {
        LockState holder = wait.busyState();
        busy = holder;
        finish();
        context.listener.onBusy(holder, since(startedNanos), wait.waited());
    }

    private void fail(RuntimeException thrown) {
        boolean open = attempt.isOpen();
        failure = open && thrown instanceof LockStoreException typed ? typed.withUnknownOutcome() : thrown;
        try {
            attempt.undoOpen();
        } finally {
            finish();
            wait.failed(thrown);
        }
        context.listener.onAcquireFailed(request.name(), failure, since(startedNanos));
    }

    private void finish() {
        done = true;
        try {
            attempt.end(won != null);
        } finally {
            hooks.acquisitionEnded(driver);
            wait.leave(won != null);
        }
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(context.clock.nanos() - nanos);
    }
}
