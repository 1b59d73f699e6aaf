/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LocalWaitQueues.FirstAttempt;
import io.dynamolock.LocalWaitQueues.Waiter;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Acquire;
import io.dynamolock.NextRequest.LastPoll;
import io.dynamolock.time.Durations;
import io.dynamolock.time.PollBackoff;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The wait of one acquisition for a busy lock: its place in the queue of this process, its polls, and what it knows of
 * the holder.
 */
final class AcquisitionWait {

    /** How long a waiter leaves the store to the first attempt of another caller. */
    private static final long FIRST_ATTEMPT_NANOS = 50_000_000;

    private final AcquisitionRequests requests;
    private final EngineContext context;
    private final LockRequest request;
    private final String storedName;
    private final Duration leaseDuration;
    private final boolean waits;
    private final @Nullable Thread holder;
    private final long startedNanos;
    private final NextRequest next;
    private final AcquisitionDriver driver;
    private final PollBackoff backoff;
    private final WaiterPolling polling;
    private final AcquireContext.Hooks hooks;

    private boolean begun;
    private volatile @Nullable FirstAttempt firstAttempt;
    private volatile @Nullable Waiter waiter;
    private boolean wasFirst;
    private boolean pollsForFirst;
    private long waitingNanos;
    private final KnownHolder known = new KnownHolder();

    /**
     * Creates the wait of an acquisition that does not queue yet.
     *
     * @param holder the calling thread; null if the acquisition has none of its own
     * @param startedNanos when the acquisition began
     * @param next the next request, which is scheduled here while the acquisition waits
     * @param driver advances the acquisition
     * @param hooks knows the leases of this process
     */
    AcquisitionWait(
            AcquisitionRequests requests,
            EngineContext context,
            LockRequest request,
            @Nullable Thread holder,
            long startedNanos,
            NextRequest next,
            AcquisitionDriver driver,
            AcquireContext.Hooks hooks) {
        this.requests = requests;
        this.context = context;
        this.request = request;
        this.storedName = requests.storedName();
        this.leaseDuration = requests.leaseDuration();
        this.waits = !context.waitOf(request).isZero();
        this.holder = holder;
        this.startedNanos = startedNanos;
        this.next = next;
        this.driver = driver;
        this.hooks = hooks;
        this.backoff = context.pollBackoffOf(request);
        this.polling = new WaiterPolling(backoff, context.observations, context.claims, storedName, startedNanos);
    }

    /** Whether the lock was found busy: the acquisition waits, with or without a place in the queue. */
    boolean hasBegun() {
        return begun;
    }

    boolean isQueued() {
        return waiter != null;
    }

    /** Begins, or goes on, without a place in the queue; returns false if other callers of this process come first. */
    boolean beginFirstAttempt() {
        if (waits && waiter == null && firstAttempt == null) {
            firstAttempt = context.waitQueues.beginFirstAttempt(storedName);
            return firstAttempt != null;
        }
        return true;
    }

    /** Joins the queue: at its head after a first attempt, otherwise at its tail. */
    void enqueue(ClockReading now) {
        begun = true;
        waitingNanos = now.nanos();
        FirstAttempt attempt = firstAttempt;
        Waiter own = attempt == null ? context.waitQueues.join(storedName, driver::wake) : attempt.join(driver::wake);
        waiter = own;
        wasFirst = false;
        if (polling.latestRow() != null) {
            own.observed(polling.latestRow(), known.requestNanos());
        }
        context.listener.onWaiting(busyState());
        if (own.isFirst()) {
            wasFirst = true;
            if (attempt == null) {
                next.writeAt(now.nanos() + (context.waitQueues.hasFirstAttempt(storedName) ? FIRST_ATTEMPT_NANOS : 0));
            } else {
                pollLater(now);
            }
        }
    }

    /** Leaves the queue, if the acquisition is in one. May be called from any thread. */
    void leave(boolean acquired) {
        FirstAttempt attempt = firstAttempt;
        if (attempt != null) {
            attempt.end(acquired);
        }
        Waiter own = waiter;
        if (own != null) {
            own.leave(acquired);
            if (!acquired) {
                withdrawClaim();
            }
        }
    }

    /** Lets those that wait attempt, too, if the store did not respond to this caller. */
    void failed(RuntimeException thrown) {
        if (thrown instanceof LockStoreException typed && typed.wasSent() && !typed.isAnswered()) {
            context.waitQueues.storeFailed(storedName, waiter);
        }
    }

    /** Withdraws the claim of this process if no caller waits any more, so that others need not wait for its window. */
    private void withdrawClaim() {
        TurnClaim claim = context.claims.own(storedName);
        if (claim != null && !context.waitQueues.hasWaiters(storedName)) {
            context.observations.claimed(storedName, null);
            requests.withdraw(claim);
        }
    }

    void requestSent(long nowNanos) {
        known.requestSent(nowNanos, waiter);
    }

    /** Takes this waiter's turn to send a request; returns false if it is not its turn. */
    boolean takeTurn(ClockReading now) {
        Waiter own = waiter;
        if (own == null || takeTurnAsFirst(own, now) || attemptWithOthers(own, now) || takeOverPolling(own, now)) {
            return true;
        }
        own.passOwedHandOff();
        polling.startOver();
        return false;
    }

    /** Takes the turn of the first waiter, and a hand-off, which is due now. A stand-in goes on with its request. */
    private boolean takeTurnAsFirst(Waiter own, ClockReading now) {
        if (!own.isFirst()) {
            wasFirst = false;
            return false;
        }
        if (own.takeHandOff() || own.takeAttempt()) {
            next.writeAt(now.nanos());
        } else if (!wasFirst && !pollsForFirst) {
            pollLater(now);
        }
        wasFirst = true;
        return true;
    }

    /** Attempts although other waiters come first, as the store failed a caller. */
    private boolean attemptWithOthers(Waiter own, ClockReading now) {
        if (own.takeAttempt()) {
            pollsForFirst = true;
            next.writeAt(now.nanos());
        }
        return pollsForFirst;
    }

    /** Takes over polling if the first waiter must have no thread; only a blocking caller, which has one, does so. */
    private boolean takeOverPolling(Waiter own, ClockReading now) {
        if (!pollsForFirst && holder != null && own.pollsForFirst(now.nanos(), longestGapNanos())) {
            pollsForFirst = true;
            next.pollAt(false, now.nanos());
        }
        return pollsForFirst;
    }

    /** Returns when it may be this waiter's turn without being woken. */
    long nextTurnNanos(ClockReading now, long deadlineNanos) {
        Waiter own = waiter;
        if (holder == null || own == null) {
            return deadlineNanos;
        }
        long takeOverNanos = own.takeOverPollingAtNanos(now.nanos(), longestGapNanos());
        return takeOverNanos - deadlineNanos < 0 ? takeOverNanos : deadlineNanos;
    }

    /** Returns the longest time between two requests of a waiter that polls regularly. */
    private long longestGapNanos() {
        return 2 * Durations.nanos(backoff.max()) + Durations.nanos(context.settings.attemptTimeoutFor(leaseDuration));
    }

    /** Records which row rejected a write, and waits; returns false if the request has no wait time. */
    boolean rejected(LockRow row, ClockReading now) {
        begun = true;
        polling.rejected(row, now);
        known.observed(row, waiter);
        if (!waits) {
            return false;
        }
        if (waiter == null) {
            enqueue(now);
        } else {
            pollLater(now);
        }
        return true;
    }

    /** Reads the row, and schedules the next request. Throws LockStoreException if there is no response. */
    void poll(long deadlineNanos) {
        Response response = requests.read();
        ClockReading now = context.clock.now();
        LockRow row = response.row() == null ? LockRow.ABSENT : response.row();
        known.observed(row, waiter);
        if (polling.observed(row, now)) {
            next.writeAt(now.nanos());
        } else {
            claimNextTurn(Duration.ofNanos(deadlineNanos - now.nanos()));
            pollLater(context.clock.now());
        }
    }

    /** Claims the next turn if this waiter has missed one to other processes, and goes on waiting. */
    private void claimNextTurn(Duration left) {
        boolean waitsOn = next.isLastUndecided() && left.compareTo(backoff.max()) >= 0; // for one poll more
        TurnClaim claim = waitsOn ? polling.claim() : null;
        LockRow row = polling.latestRow();
        if (claim != null && row != null && !hooks.isOwnLease(row.leaseId())) {
            polling.claimed(claim);
            context.observations.claimed(storedName, claim);
            requests.claim(claim, left);
        }
    }

    /** Shares the row of a lease that this acquisition got with those that wait. */
    void acquired(Acquire write) {
        if (context.waitQueues.hasWaiters(storedName)) {
            context.waitQueues.observed(storedName, LockRow.acquiredBy(write).build(), known.requestNanos());
        }
    }

    private void pollLater(ClockReading now) {
        pollsForFirst = false;
        WaiterPolling.Poll poll = polling.next(now);
        next.pollAt(
                poll.acquires(),
                poll.acquires()
                        ? poll.atNanos()
                        : context.clock.mostInformativeTimeAfter(now, now.nanos(), poll.atNanos() - now.nanos()));
    }

    /** Schedules the last poll, after the wait time has elapsed; returns false if none is left to be sent. */
    boolean scheduleLastPoll(ClockReading now) {
        if (next.isLastUndecided()) {
            boolean polls = waiter != null && waiter.isFirst();
            LastPoll last = !isKnownToBeHeld() ? LastPoll.WRITE : polls ? LastPoll.READ : LastPoll.NOTHING;
            next.decideAtEnd(last, now.nanos());
        }
        return next.scheduleLast();
    }

    /** Whether a recent request, sent since this acquisition began, found the lock held. */
    boolean isKnownToBeHeld() {
        long recently = context.clock.nanos() - longestGapNanos();
        long since = recently - startedNanos < 0 ? startedNanos : recently;
        return known.holdsSince(since, waiter);
    }

    /** Returns the state of the lock, as the waiters of this queue last observed it. */
    LockState busyState() {
        return known.state(request.name(), waiter);
    }

    /** Returns how long the acquisition has been in the queue. */
    Duration waited() {
        return waiter == null ? Duration.ZERO : Duration.ofNanos(context.clock.nanos() - waitingNanos);
    }
}
