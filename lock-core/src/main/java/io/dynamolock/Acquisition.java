/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LocalWaitQueues.Waiter;
import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Answer;
import io.dynamolock.Proposal.Verdict;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One caller's attempt to get one lock, from the first write to the lease, the refusal or the failure. Each {@link #advance()}
 * does what is due on the thread that calls it, at most one request at a time; between them nobody's thread is needed:
 *
 * <ol>
 *   <li>write once, unless others wait here already;
 *   <li>if somebody else has it, get in line; who is first in line looks from time to time, by reading, and once more when the
 *       wait time is over;
 *   <li>when the row is free, has ended, or was released in this JVM, write again;
 *   <li>a request that failed is repeated as the retry policy says, with the same values.
 * </ol>
 *
 * <p>It is over by the end of the wait time and the call timeout. Driven by one thread at a time; {@link #abandon()} may come
 * from any.
 */
final class Acquisition {

    private static final Logger LOG = LoggerFactory.getLogger(Acquisition.class);

    private static final int MOST_OUTBIDS = 5;

    /** Whoever advances it. */
    interface Driver {

        /** Something has happened: advance it soon. */
        void wake();

        /** The manager has stopped, and none of its threads advances it any more. */
        default void stopped() {}
    }

    private enum Request {
        WRITE,
        READ
    }

    /** What is still to be sent when the wait time is over. */
    private enum LastPoll {
        UNDECIDED,
        READ,
        WRITE,
        NOTHING
    }

    private final EngineContext context;
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
    private @Nullable Proposal late;
    private boolean triedAgain;
    private int outbids;
    private int questions;

    private volatile @Nullable Waiter place;
    private boolean wasFirst;
    private boolean pollsForFirst;
    private final WaiterPolling polling;
    private boolean refused;
    private long waitingNanos;
    private @Nullable LockRow holderSeen;
    private long heldNanos;
    private long askedNanos;
    private LastPoll lastPoll = LastPoll.UNDECIDED;

    private volatile boolean abandoned;
    private boolean done;
    private @Nullable HeldLease won;
    private @Nullable LockState busy;
    private @Nullable RuntimeException failure;

    Acquisition(
            EngineContext context, LockRequest request, String defaultOwner, @Nullable Thread holder, Driver driver) {
        this.context = context;
        this.request = request;
        this.holder = holder;
        this.driver = driver;
        this.stored = context.names.stored(request.name());
        this.lease = context.settings.leaseOf(request);
        this.proposer = new Proposer(
                request.owner() == null ? request.owner(defaultOwner) : request,
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
        context.acquisitions.add(this);
    }

    void wake() {
        driver.wake();
    }

    /** The manager has stopped. */
    void stopped() {
        context.acquisitions.remove(this);
        driver.stopped();
    }

    boolean isDone() {
        return done;
    }

    /** Why its last request failed; null if it did not. */
    @Nullable
    LockStoreException lastFailure() {
        return lastFailure;
    }

    boolean hasFailed() {
        return failure != null;
    }

    /** When to advance again if nobody wakes it. */
    long wakeNanos() {
        return wakeNanos;
    }

    /** The lease; null if it was busy. */
    @Nullable
    HeldLease result() {
        if (failure != null) {
            throw failure;
        }
        return won;
    }

    /** The lease, or who holds the lock. */
    HeldLease lease() {
        HeldLease lease = result();
        if (lease == null) {
            throw new LockBusyException(Objects.requireNonNull(busy));
        }
        return lease;
    }

    /** Gives it up at its next step; what it has by then, or may have, is given back in the background. */
    void abandon() {
        abandoned = true;
        Waiter mine = place;
        if (mine != null) {
            mine.leave(false); // at once: it may be long until somebody advances it
        }
    }

    /** Ends the wait time now. */
    void endWait() {
        deadlineNanos = Math.min(deadlineNanos, context.clock.nanos());
    }

    void advance() {
        try {
            while (!done && step()) {
                // as long as something is due
            }
        } catch (Throwable unexpected) {
            failUnexpectedly(unexpected);
        }
    }

    /** Fails it for want of a thread, or because of a bug, unless it is done. */
    void failUnexpectedly(Throwable unexpected) {
        if (done) {
            LOG.warn("Ending the acquisition of lock '{}' failed in part", request.name(), unexpected);
        } else {
            fail(unexpected instanceof RuntimeException typed ? typed : new IllegalStateException(unexpected));
        }
    }

    /** Does what is due; returns whether more may be. */
    private boolean step() {
        if (context.isClosed()) {
            fail(EngineContext.closedException());
            return false;
        }
        if (abandoned) {
            fail(new CancellationException("The acquisition of lock '%s' was given up".formatted(request.name())));
            return false;
        }
        ClockReading now = context.clock.now();
        boolean overdue = refused && now.nanos() - deadlineNanos >= 0;
        if (overdue && !shouldPollOnceMore(now)) {
            waitTimeElapsed();
            return false;
        }
        Waiter mine = place;
        if (!overdue && mine != null && !isMyTurn(mine, now) && !mustPollForFirst(mine, now)) {
            wakeNanos = nextTurnNanos(mine, now);
            return false;
        }
        if (now.nanos() - pendingNanos < 0) {
            boolean beyond = refused && !overdue && pendingNanos - deadlineNanos > 0;
            wakeNanos = beyond ? deadlineNanos : pendingNanos;
            return false;
        }
        if (!overdue && mustQueue()) {
            enqueue(now);
            return true;
        }
        send(now);
        return !Thread.currentThread().isInterrupted();
    }

    /** Whether others of this process came before. Who holds the row by a lease that was answered too late replaces it at once. */
    private boolean mustQueue() {
        return place == null && waits && proposal == null && late == null && context.waitQueues.hasWaiters(stored);
    }

    private void send(ClockReading now) {
        askedNanos = now.nanos();
        budget().sending(askedNanos);
        if (place != null) {
            place.requestSent(askedNanos);
        }
        if (questions < StoreClient.MAX_CLOCK_SAMPLES && !context.clock.isReady()) {
            questions++;
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

    /** What it has for its requests: made with the first, before which it may have waited for a thread. */
    private RetryBudget budget() {
        RetryBudget known = budget;
        if (known == null) {
            Duration call = context.callTimeout(lease);
            endNanos = Math.max(askedNanos, deadlineNanos) + Durations.nanos(call);
            known = context.client.budget(call, endNanos);
            budget = known;
        }
        return known;
    }

    private RequestTimeouts timeouts(Duration attempt) {
        return budget().timeouts(attempt, askedNanos);
    }

    /**
     * Whether one more request is to be sent although the wait time is over. The lock may be free: the first in line looks from
     * time to time only, and nobody may have looked since this one came. A request that failed is repeated as always, unless it
     * was only a look at a lock that is known to be held.
     */
    private boolean shouldPollOnceMore(ClockReading now) {
        if (lastFailure != null) {
            return openProposal() != null || pending == Request.WRITE || !isKnownToBeHeld();
        }
        if (lastPoll == LastPoll.UNDECIDED) {
            boolean looks = place != null && place.isFirst();
            lastPoll = !isKnownToBeHeld() ? LastPoll.WRITE : looks ? LastPoll.READ : LastPoll.NOTHING;
            pendingNanos = now.nanos();
        }
        pending = lastPoll == LastPoll.READ ? Request.READ : Request.WRITE;
        return lastPoll != LastPoll.NOTHING;
    }

    /** Something has changed: the lock may be free now. */
    private void writeAt(long nanos) {
        pending = Request.WRITE;
        pendingNanos = nanos;
        if (lastPoll == LastPoll.NOTHING) {
            lastPoll = LastPoll.WRITE;
        }
    }

    private void sees(LockRow row) {
        if (!row.isFree()) {
            holderSeen = row;
            heldNanos = askedNanos;
        }
        if (place != null) {
            place.observed(row, askedNanos);
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
     * Whether it asks although others are before it: none of them has for so long that they must be without a thread. Only those
     * who have a thread of their own can help out.
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
        long missing = mine.takeOverPollingAtNanos(now.nanos(), longestGapNanos());
        return missing - deadlineNanos < 0 ? missing : deadlineNanos;
    }

    /** Whoever looks regularly has asked within this time. */
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
            questions = 0;
            judge(sent, answer);
        } catch (LockStoreException thrown) {
            sent.failed(thrown);
            failed(Operation.ACQUIRE, thrown);
        }
    }

    /**
     * Any answer tells the time, but nothing of a write that was not answered. It has a budget of its own, as the first request
     * of a process may be slow; half of it for each attempt, since an answer may be lost.
     */
    private void sampleStoreClock() {
        try {
            context.client.poll(request.name(), stored, timeouts(context.questionTimeout()));
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

    /** Outbid, most likely, by a token that is known now. A row that keeps refusing cannot be understood, and counts as held. */
    private void again(Proposal sent, LockRow row, ClockReading now) {
        outbids++;
        if (outbids % MOST_OUTBIDS == 0) {
            busy(sent, row, now);
        } else {
            proposal = null;
            writeAt(now.nanos());
        }
    }

    private void won(Proposal sent, Verdict verdict, @Nullable LockRow row, ClockReading now) {
        if (abandoned || context.isClosed()) {
            undo(sent);
            return;
        }
        if (verdict == Verdict.TOO_LATE) {
            tooLate(sent, now);
            return;
        }
        HeldLease held = new HeldLease(context, proposer.grantOf(sent, context.onLostOf(request)), holder);
        if (!held.begin(() -> undo(sent))) {
            return;
        }
        won = held;
        if (row != null) {
            sees(row);
        }
        finish();
        context.listener.onAcquired(held, since(startedNanos), waited());
    }

    private void undo(Proposal sent) {
        proposal = null;
        context.undo.start(request.name(), sent, lease);
    }

    /**
     * The answer came when the lease had ended already: it is not held, whatever the row says. The next write replaces it, if
     * there is time for one.
     */
    private void tooLate(Proposal sent, ClockReading now) {
        boolean first = late == null;
        late = sent;
        proposal = null;
        proposer.replaceOnly(sent.write().leaseId());
        againAfterTooLate(first ? 0 : gapNanos(now), now);
    }

    private boolean isLate(LockRow row) {
        return late != null && row.isHeldBy(late.write().leaseId());
    }

    private long gapNanos(ClockReading now) {
        return context.pollBackoff.delayNanos(now.nanos() - startedNanos);
    }

    private void againAfterTooLate(long delayNanos, ClockReading now) {
        if (now.nanos() + delayNanos - endNanos >= 0) {
            fail(new LockStoreException(
                    request.name(),
                    ("Acquiring lock '%s' in %s was answered when the lease of %s had ended already: not held."
                                    + " Raise leaseDuration, or find out what delays this process or its connection")
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
            context.undo.start(request.name(), sent, lease);
        }
        proposal = null;
        if (isLate(row)) {
            againAfterTooLate(gapNanos(now), now); // outbid, most likely
            return;
        }
        proposer.replaceOnly(null);
        if (!triedAgain && ConditionFailures.isPastEnd(row, now)) {
            triedAgain = true;
            writeAt(now.nanos());
            return;
        }
        refused = true;
        polling.refused(row, now);
        sees(row);
        if (!waits) {
            waitTimeElapsed();
        } else if (place == null) {
            enqueue(now);
        } else {
            pollLater(now);
        }
    }

    private void read() {
        try {
            Answer answer = context.client.poll(request.name(), stored, timeouts(context.attemptTimeout(lease)));
            answered();
            questions = 0;
            ClockReading now = context.clock.now();
            LockRow row = answer.row() == null ? LockRow.ABSENT : answer.row();
            sees(row);
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
        place = context.waitQueues.join(stored, driver::wake);
        wasFirst = false;
        if (polling.latestRow() != null) {
            place.observed(polling.latestRow(), askedNanos);
        }
        context.listener.onWaiting(busyState());
        if (place.isFirst()) {
            wasFirst = true;
            pollLater(now);
        }
    }

    private void pollLater(ClockReading now) {
        pollsForFirst = false;
        WaiterPolling.Poll look = polling.next(now);
        pending = look.acquires() ? Request.WRITE : Request.READ;
        pendingNanos = look.acquires()
                ? look.atNanos()
                : context.clock.mostInformativeTimeAfter(now.nanos(), look.atNanos() - now.nanos());
    }

    private void waitTimeElapsed() {
        LockState holder = busyState();
        busy = holder;
        finish();
        context.listener.onBusy(holder, since(startedNanos), waited());
    }

    /** Whether an answer to a request that was sent since this began, and not long ago, has shown somebody's lease. */
    private boolean isKnownToBeHeld() {
        long recently = context.clock.nanos() - longestGapNanos();
        long since = recently - startedNanos < 0 ? startedNanos : recently;
        return (holderSeen != null && heldNanos - since >= 0) || (place != null && place.wasObservedHeldSince(since));
    }

    /** Who holds the lock, as far as anybody in this line has seen. */
    private LockState busyState() {
        LockRow newest = place == null ? null : place.lastHeld();
        return LockState.of(request.name(), newest == null ? holderSeen : newest, false);
    }

    // the end

    /** What may have been applied although nobody has said so. */
    private @Nullable Proposal openProposal() {
        return proposal != null && proposal.isUnanswered() ? proposal : null;
    }

    private void fail(RuntimeException thrown) {
        Proposal open = openProposal();
        failure = open != null && thrown instanceof LockStoreException typed ? typed.withUnknownOutcome() : thrown;
        try {
            if (open != null) {
                context.undo.start(request.name(), open, lease);
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
            if (late != null && won == null) {
                context.undo.start(request.name(), late, lease);
            }
        } finally {
            context.acquisitions.remove(this);
            if (place != null) {
                place.leave(won != null);
            }
        }
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(context.clock.nanos() - nanos);
    }

    private Duration waited() {
        return place == null ? Duration.ZERO : since(waitingNanos);
    }
}
