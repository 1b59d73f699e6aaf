/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LocalWaitQueues.Waiter;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Answer;
import io.dynamolock.Proposal.Verdict;
import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One acquisition of one lock, as a state machine that ends with a lease, a busy lock or a failure. Each {@link #advance()}
 * does what is due on the calling thread, one request at a time; no thread is needed between the calls:
 *
 * <ol>
 *   <li>Writes once, unless other callers in this JVM already wait for the lock.
 *   <li>If the lock is busy, joins the queue. The first waiter polls by reading, and once more when the wait time has
 *       elapsed.
 *   <li>When the row is free, has expired, or was released in this JVM, writes again.
 *   <li>Repeats a failed request with the same values, as the retry policy decides.
 * </ol>
 *
 * <p>Ends within the wait time plus the call timeout. Driven by one thread at a time; {@link #abandon()} may be called from
 * any thread.
 */
final class Acquisition {

    private static final Logger LOG = LoggerFactory.getLogger(Acquisition.class);

    private static final int MAX_OUTBIDS = 5;

    /** Advances the acquisition. */
    interface Driver {

        /** Called when something has changed: the driver advances the acquisition soon. */
        void wake();

        /** Called when the manager has stopped: its threads no longer advance the acquisition. */
        default void stopped() {}
    }

    /** Informs the manager of acquisitions in progress. */
    interface Hooks extends HeldLease.Hooks {

        void acquisitionBegun(Acquisition acquisition);

        void acquisitionEnded(Acquisition acquisition);
    }

    private enum Request {
        WRITE,
        READ
    }

    /** The request that is still sent after the wait time has elapsed. */
    private enum LastPoll {
        UNDECIDED,
        READ,
        WRITE,
        NOTHING
    }

    private final AcquireContext acquire;
    private final EngineContext context;
    private final Hooks hooks;
    private final LockRequest request;
    private final @Nullable Thread holder;
    private final Driver driver;
    private final String stored;
    private final Duration lease;
    private final Proposer proposer;
    private final long startedNanos;
    private final boolean waits;
    private long deadlineNanos;
    private @Nullable RetryBudget budget;
    private long endNanos;

    private Request pending = Request.WRITE;
    private long pendingNanos;
    private long wakeNanos;

    private @Nullable Proposal proposal;
    private volatile @Nullable LockStoreException lastFailure;
    private @Nullable Proposal lateProposal;
    private boolean retriedAfterEnd;
    private int outbids;
    private int clockSamples;

    private volatile @Nullable Waiter waiter;
    private boolean wasFirst;
    private boolean pollsForFirst;
    private final WaiterPolling polling;
    private boolean refused;
    private long waitingNanos;
    private @Nullable LockRow holderSeen;
    private long heldNanos;
    private long requestNanos;
    private LastPoll lastPoll = LastPoll.UNDECIDED;

    private volatile boolean abandoned;
    private boolean done;
    private @Nullable HeldLease won;
    private @Nullable LockState busy;
    private @Nullable RuntimeException failure;

    Acquisition(AcquireContext acquire, LockRequest request, @Nullable Thread holder, Driver driver) {
        this.acquire = acquire;
        this.context = acquire.engine();
        this.hooks = acquire.hooks();
        this.request = request;
        this.holder = holder;
        this.driver = driver;
        this.stored = context.names.stored(request.name());
        this.lease = context.settings.leaseOf(request);
        this.proposer = new Proposer(
                request.owner() == null ? request.owner(acquire.owner()) : request,
                stored,
                lease,
                context.lockDelay,
                context.tokens,
                context.observations);
        Duration wait = context.waitOf(request);
        this.waits = !wait.isZero();
        this.startedNanos = context.clock.nanos();
        this.deadlineNanos = startedNanos + Durations.nanos(wait);
        this.pendingNanos = startedNanos;
        this.wakeNanos = startedNanos;
        this.polling = new WaiterPolling(context.pollBackoff, context.observations, stored, startedNanos);
        hooks.acquisitionBegun(this);
    }

    void wake() {
        driver.wake();
    }

    /** Called when the manager has stopped. */
    void stopped() {
        hooks.acquisitionEnded(this);
        driver.stopped();
    }

    boolean isDone() {
        return done;
    }

    /** Returns why the last request failed; null if it did not. */
    @Nullable
    LockStoreException lastFailure() {
        return lastFailure;
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

    /** Returns the lease, or throws LockBusyException naming the current holder. */
    HeldLease lease() {
        HeldLease lease = result();
        if (lease == null) {
            throw new LockBusyException(Objects.requireNonNull(busy));
        }
        return lease;
    }

    /**
     * Abandons the acquisition at its next step. A lease that it has, or may have, by then is released in the background.
     */
    void abandon() {
        abandoned = true;
        Waiter mine = waiter;
        if (mine != null) {
            mine.leave(false); // immediately, as the next advance() may come much later
        }
    }

    /** Ends the wait time now. */
    void endWait() {
        deadlineNanos = Math.min(deadlineNanos, context.clock.nanos());
    }

    void advance() {
        try {
            while (!done && step()) {
                // repeat while something is due
            }
        } catch (Throwable unexpected) {
            failUnexpectedly(unexpected);
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
        if (hooks.isClosed()) {
            fail(new LockManagerClosedException());
            return false;
        }
        if (abandoned) {
            fail(new CancellationException("The acquisition of lock '%s' was abandoned".formatted(request.name())));
            return false;
        }
        ClockReading now = context.clock.now();
        boolean overdue = refused && now.nanos() - deadlineNanos >= 0;
        if (overdue && !shouldPollOnceMore(now)) {
            waitTimeElapsed();
            return false;
        }
        Waiter mine = waiter;
        if (!overdue && mine != null && !maySend(mine, now)) {
            wakeNanos = nextTurnNanos(mine, now);
            return false;
        }
        if (now.nanos() - pendingNanos < 0) {
            boolean afterDeadline = refused && !overdue && pendingNanos - deadlineNanos > 0;
            wakeNanos = afterDeadline ? deadlineNanos : pendingNanos;
            return false;
        }
        if (!overdue && mustQueue()) {
            enqueue(now);
            return true;
        }
        send(now);
        return !Thread.currentThread().isInterrupted();
    }

    /** Whether it is this waiter's turn. A write that may have been applied is repeated in any case, and never replaced by a read. */
    private boolean maySend(Waiter mine, ClockReading now) {
        return openProposal() != null || isMyTurn(mine, now) || mustPollForFirst(mine, now);
    }

    /**
     * Whether other callers of this process already wait for the lock. An acquisition whose own late lease holds the row
     * does not queue, but replaces that lease.
     */
    private boolean mustQueue() {
        return waiter == null
                && waits
                && proposal == null
                && lateProposal == null
                && context.waitQueues.hasWaiters(stored);
    }

    private void send(ClockReading now) {
        requestNanos = now.nanos();
        budget().sending(requestNanos);
        if (waiter != null) {
            waiter.requestSent(requestNanos);
        }
        if (clockSamples < StoreClient.MAX_CLOCK_SAMPLES && !context.clock.isReady()) {
            clockSamples++;
            sampleStoreClock();
            return;
        }
        if (lastPoll != LastPoll.UNDECIDED) {
            lastPoll = LastPoll.NOTHING;
        }
        if (pending == Request.WRITE) {
            write();
        } else {
            read();
        }
    }

    /** Returns the retry budget. It is created with the first request, as the acquisition may wait for a thread before. */
    private RetryBudget budget() {
        RetryBudget known = budget;
        if (known == null) {
            Duration call = context.callTimeout(lease);
            endNanos = Math.max(requestNanos, deadlineNanos) + Durations.nanos(call);
            known = context.client.budget(call, endNanos);
            budget = known;
        }
        return known;
    }

    private RequestTimeouts timeouts(Duration attempt) {
        return budget().timeouts(attempt, requestNanos);
    }

    /**
     * Whether to send one more request although the wait time has elapsed. The lock may be free: the first waiter polls only
     * at intervals, and no request may have been sent since this acquisition began. A failed request is repeated as always,
     * unless it was only a poll of a lock that is known to be held.
     */
    private boolean shouldPollOnceMore(ClockReading now) {
        if (lastFailure != null) {
            return openProposal() != null || pending == Request.WRITE || !isKnownToBeHeld();
        }
        if (lastPoll == LastPoll.UNDECIDED) {
            boolean polls = waiter != null && waiter.isFirst();
            lastPoll = !isKnownToBeHeld() ? LastPoll.WRITE : polls ? LastPoll.READ : LastPoll.NOTHING;
            pendingNanos = now.nanos();
        }
        pending = lastPoll == LastPoll.READ ? Request.READ : Request.WRITE;
        return lastPoll != LastPoll.NOTHING;
    }

    /** Schedules a write, as the lock may be free by then. */
    private void writeAt(long nanos) {
        pending = Request.WRITE;
        pendingNanos = nanos;
        if (lastPoll == LastPoll.NOTHING) {
            lastPoll = LastPoll.WRITE;
        }
    }

    private void recordRow(LockRow row) {
        if (!row.isFree()) {
            holderSeen = row;
            heldNanos = requestNanos;
        }
        if (waiter != null) {
            waiter.observed(row, requestNanos);
        }
    }

    private boolean isMyTurn(Waiter mine, ClockReading now) {
        if (!mine.isFirst()) {
            return false;
        }
        if (mine.takeHandOff()) {
            writeAt(now.nanos());
        } else if (!wasFirst) {
            pollLater(now);
        }
        wasFirst = true;
        return true;
    }

    /**
     * Whether to poll although other waiters come first: none of them has sent a request for so long that they must have
     * no thread. Only a blocking caller, which has its own thread, polls for others.
     */
    private boolean mustPollForFirst(Waiter mine, ClockReading now) {
        if (!pollsForFirst && holder != null && mine.pollsForFirst(now.nanos(), longestGapNanos())) {
            pollsForFirst = true;
            pending = Request.READ;
            pendingNanos = now.nanos();
        }
        return pollsForFirst;
    }

    private long nextTurnNanos(Waiter mine, ClockReading now) {
        if (holder == null) {
            return deadlineNanos;
        }
        long takeOverNanos = mine.takeOverPollingAtNanos(now.nanos(), longestGapNanos());
        return takeOverNanos - deadlineNanos < 0 ? takeOverNanos : deadlineNanos;
    }

    /** Returns the longest time between two requests of a waiter that polls regularly. */
    private long longestGapNanos() {
        return 2 * Durations.nanos(context.settings.pollMax())
                + Durations.nanos(context.settings.attemptTimeoutFor(lease));
    }

    // one request

    private void write() {
        if (proposal == null && !FencingTokens.canPropose(context.clock.now())) {
            fail(context.implausibleClock(request.name()));
            return;
        }
        Proposal sent = proposal == null ? proposer.propose(context.clock.now(), context.leaseIds.get()) : proposal;
        proposal = sent;
        try {
            Answer answer =
                    context.client.acquire(request.name(), sent.write(), timeouts(context.attemptTimeout(lease)));
            answered();
            clockSamples = 0;
            judge(sent, answer);
        } catch (LockStoreException thrown) {
            sent.failed(thrown);
            failed(Operation.ACQUIRE, thrown);
        }
    }

    /**
     * Samples the store's clock by a read. Any response contains the time, but does not settle a write that got no response.
     * The request has a longer timeout, as the first one of a process may be slow: half of the budget for each attempt, as a
     * response may be lost.
     */
    private void sampleStoreClock() {
        try {
            context.client.poll(request.name(), stored, timeouts(context.clockSampleTimeout()));
            if (openProposal() == null) {
                answered();
            }
        } catch (LockStoreException thrown) {
            failed(Operation.READ, thrown);
        }
    }

    private void judge(Proposal sent, Answer answer) {
        LockRow row = answer.row();
        ClockReading now = context.clock.now();
        Verdict verdict = sent.evaluate(answer, now);
        proposer.recordResponse(sent, verdict, row, now);
        if (row != null) {
            boolean takeable = context.observations.isTakeable(stored, row, now);
            context.corruptRows.check(request.name(), row, takeable, now);
            if (takeable && row.isClosed() && !answer.applied()) {
                fail(context.corruptRows.closedRowException(request.name(), row));
                return;
            }
        }
        switch (verdict) {
            case HELD, TOO_LATE -> won(sent, verdict, row, now);
            case RETRY -> again(sent, row == null ? LockRow.ABSENT : row, now);
            case BUSY -> busy(sent, Objects.requireNonNull(row), now);
        }
    }

    /**
     * Writes again: the proposal was probably outbid by a token that is known now. A row that keeps rejecting proposals
     * cannot be understood, and is treated as held.
     */
    private void again(Proposal sent, LockRow row, ClockReading now) {
        outbids++;
        if (outbids % MAX_OUTBIDS == 0) {
            busy(sent, row, now);
        } else {
            proposal = null;
            writeAt(now.nanos());
        }
    }

    private void won(Proposal sent, Verdict verdict, @Nullable LockRow row, ClockReading now) {
        if (abandoned || hooks.isClosed()) {
            undo(sent);
            return;
        }
        if (verdict == Verdict.TOO_LATE) {
            tooLate(sent, now);
            return;
        }
        HeldLease held = acquire.lease(proposer.grantOf(sent, context.onLostOf(request)), holder);
        if (!held.begin(() -> undo(sent))) {
            return;
        }
        won = held;
        if (row != null) {
            recordRow(row);
        }
        finish();
        context.listener.onAcquired(held, since(startedNanos), waited());
    }

    private void undo(Proposal sent) {
        proposal = null;
        acquire.undo().start(request.name(), sent, lease);
    }

    /**
     * Handles a response that arrived after the lease had ended: the lease is not held, whatever the row contains. The next
     * write replaces it, if there is time for one.
     */
    private void tooLate(Proposal sent, ClockReading now) {
        boolean first = lateProposal == null;
        lateProposal = sent;
        proposal = null;
        proposer.replaceOnly(sent.write().leaseId());
        againAfterTooLate(first ? 0 : gapNanos(now), now);
    }

    private boolean isLateLease(LockRow row) {
        return lateProposal != null && row.isHeldBy(lateProposal.write().leaseId());
    }

    private long gapNanos(ClockReading now) {
        return context.pollBackoff.delayNanos(now.nanos() - startedNanos);
    }

    private void againAfterTooLate(long delayNanos, ClockReading now) {
        if (now.nanos() + delayNanos - endNanos >= 0) {
            fail(new LockStoreException(
                    request.name(),
                    ("Lock '%s' in %s was not acquired: the response arrived when the lease of %s had ended already."
                                    + " Raise leaseDuration, or find what delays this process or its connection")
                            .formatted(request.name(), context.client.describe(), lease),
                    null,
                    false,
                    true));
        } else {
            writeAt(now.nanos() + delayNanos);
        }
    }

    private void busy(Proposal sent, LockRow row, ClockReading now) {
        if (sent.needsUndo(Verdict.BUSY)) {
            acquire.undo().start(request.name(), sent, lease);
        }
        proposal = null;
        if (isLateLease(row)) {
            againAfterTooLate(gapNanos(now), now); // probably outbid
            return;
        }
        proposer.replaceOnly(null);
        if (!retriedAfterEnd && ConditionFailures.isPastEnd(row, now)) {
            retriedAfterEnd = true;
            writeAt(now.nanos());
            return;
        }
        refused = true;
        polling.refused(row, now);
        recordRow(row);
        if (!waits) {
            waitTimeElapsed();
        } else if (waiter == null) {
            enqueue(now);
        } else {
            pollLater(now);
        }
    }

    private void read() {
        try {
            Answer answer = context.client.poll(request.name(), stored, timeouts(context.attemptTimeout(lease)));
            answered();
            clockSamples = 0;
            ClockReading now = context.clock.now();
            LockRow row = answer.row() == null ? LockRow.ABSENT : answer.row();
            recordRow(row);
            if (polling.observed(row, now)) {
                writeAt(now.nanos());
            } else {
                pollLater(now);
            }
        } catch (LockStoreException thrown) {
            failed(Operation.READ, thrown);
        }
    }

    // failures

    private void answered() {
        budget().answered();
        lastFailure = null;
    }

    private void failed(Operation what, LockStoreException thrown) {
        long now = context.clock.nanos();
        lastFailure = thrown;
        Duration delay = budget().failed(thrown, now, Thread.currentThread().isInterrupted());
        if (delay == null) {
            context.client.givingUp(request.name(), what, thrown, budget());
            fail(thrown);
            return;
        }
        context.client.retrying(request.name(), what, thrown);
        pendingNanos = now + Durations.nanos(delay);
    }

    // waiting

    private void enqueue(ClockReading now) {
        refused = true;
        waitingNanos = now.nanos();
        waiter = context.waitQueues.join(stored, driver::wake);
        wasFirst = false;
        if (polling.latestRow() != null) {
            waiter.observed(polling.latestRow(), requestNanos);
        }
        context.listener.onWaiting(busyState());
        if (waiter.isFirst()) {
            wasFirst = true;
            pollLater(now);
        }
    }

    private void pollLater(ClockReading now) {
        pollsForFirst = false;
        WaiterPolling.Poll next = polling.next(now);
        pending = next.acquires() ? Request.WRITE : Request.READ;
        pendingNanos = next.acquires()
                ? next.atNanos()
                : context.clock.mostInformativeTimeAfter(now.nanos(), next.atNanos() - now.nanos());
    }

    private void waitTimeElapsed() {
        LockState holder = busyState();
        busy = holder;
        finish();
        context.listener.onBusy(holder, since(startedNanos), waited());
    }

    /** Whether a recent request, sent since this acquisition began, found the lock held. */
    private boolean isKnownToBeHeld() {
        long recently = context.clock.nanos() - longestGapNanos();
        long since = recently - startedNanos < 0 ? startedNanos : recently;
        return (holderSeen != null && heldNanos - since >= 0) || (waiter != null && waiter.wasObservedHeldSince(since));
    }

    /** Returns the state of the lock, as the waiters of this queue last observed it. */
    private LockState busyState() {
        LockRow newest = waiter == null ? null : waiter.lastHeld();
        return LockState.of(request.name(), newest == null ? holderSeen : newest, false);
    }

    // the end

    /** Returns the proposal that may have been applied without a response; null if there is none. */
    private @Nullable Proposal openProposal() {
        return proposal != null && proposal.isUnanswered() ? proposal : null;
    }

    private void fail(RuntimeException thrown) {
        Proposal open = openProposal();
        failure = open != null && thrown instanceof LockStoreException typed ? typed.withUnknownOutcome() : thrown;
        try {
            if (open != null) {
                acquire.undo().start(request.name(), open, lease);
            }
        } finally {
            finish();
        }
        context.listener.onAcquireFailed(request.name(), failure, since(startedNanos));
    }

    private void finish() {
        done = true;
        proposal = null;
        try {
            if (lateProposal != null && won == null) {
                acquire.undo().start(request.name(), lateProposal, lease);
            }
        } finally {
            hooks.acquisitionEnded(this);
            if (waiter != null) {
                waiter.leave(won != null);
            }
        }
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(context.clock.nanos() - nanos);
    }

    private Duration waited() {
        return waiter == null ? Duration.ZERO : since(waitingNanos);
    }
}
