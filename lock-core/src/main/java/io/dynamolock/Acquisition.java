/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Answer;
import io.dynamolock.Proposal.Verdict;
import io.dynamolock.WaitLines.Waiter;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * One caller's attempt to get one lock, from the first try to the lease, the refusal or the failure. Each {@link #advance()}
 * does what is due on the thread that calls it, at most one request at a time; between them nobody's thread is needed:
 *
 * <ol>
 *   <li>try once, unless others wait here already;
 *   <li>if somebody else has it, get in line; who is first in line looks from time to time, by reading;
 *   <li>when the row is free, has ended, or was released in this JVM, try again;
 *   <li>a request that failed is repeated as the retry policy says, with the same values.
 * </ol>
 *
 * <p>Driven by one thread at a time; {@link #abandon()} may come from any.
 */
final class Acquisition {

    private static final int MOST_OUTBIDS = 5;

    private enum Request {
        WRITE,
        READ
    }

    private final Engine engine;
    private final LockRequest request;
    private final @Nullable Thread holder;
    private final Runnable wake;
    private final String stored;
    private final Duration lease;
    private final Proposer proposer;
    private final RetryBudget budget;
    private final long startedNanos;
    private final long deadlineNanos;
    private final boolean waits;

    private Request pending = Request.WRITE;
    private long pendingNanos;
    private long wakeNanos;

    private @Nullable Proposal proposal;
    private @Nullable LockStoreException lastFailure;
    private boolean triedAgain;
    private int outbids;

    private @Nullable Waiter place;
    private boolean wasFirst;
    private final Lookout lookout;
    private boolean refused;
    private boolean seenHeld;
    private long askedNanos;

    private volatile boolean abandoned;
    private boolean done;
    private @Nullable HeldLease won;
    private @Nullable RuntimeException failure;

    Acquisition(Engine engine, LockRequest request, String defaultOwner, @Nullable Thread holder, Runnable wake) {
        this.engine = engine;
        this.request = request;
        this.holder = holder;
        this.wake = wake;
        this.stored = engine.names.stored(request.name());
        this.lease = engine.settings.leaseOf(request);
        this.proposer = new Proposer(
                request.owner() == null ? request.owner(defaultOwner) : request,
                stored,
                lease,
                engine.grace,
                engine.tokens,
                engine.observations);
        this.budget = engine.gate.budget(engine.settings.callTimeoutFor(lease));
        Duration wait = engine.waitOf(request);
        this.waits = !wait.isZero();
        this.startedNanos = engine.clock.nanos();
        this.deadlineNanos = startedNanos + Durations.nanos(wait);
        this.pendingNanos = startedNanos;
        this.lookout = new Lookout(engine.polls, engine.observations, stored, startedNanos);
        engine.acquisitions.add(this);
    }

    void wake() {
        wake.run();
    }

    boolean isDone() {
        return done;
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

    /** The lease, or who is in the way. */
    Lease lease() {
        HeldLease lease = result();
        if (lease == null) {
            throw new LockBusyException(busyState());
        }
        return lease;
    }

    LockState busyState() {
        LockRow seen = lookout.known();
        return LockState.of(request.name(), seen == null && place != null ? place.lastSeen() : seen, false);
    }

    /** Gives it up at its next step; what it has by then, or may have, is given back in the background. */
    void abandon() {
        abandoned = true;
    }

    void advance() {
        try {
            while (!done && step()) {
                // as long as something is due
            }
        } catch (RuntimeException | Error unexpected) {
            fail(unexpected instanceof RuntimeException typed ? typed : new IllegalStateException(unexpected));
        }
    }

    /** Does what is due; returns whether more may be. */
    private boolean step() {
        if (engine.isClosed()) {
            fail(Engine.closedException());
            return false;
        }
        if (abandoned) {
            fail(new CancellationException("The acquisition of lock '%s' was given up".formatted(request.name())));
            return false;
        }
        ClockReading now = engine.clock.now();
        if (refused && now.nanos() - deadlineNanos >= 0) {
            if (lastFailure != null || isKnownToBeHeld()) {
                timeIsOver();
                return false;
            }
            pending = Request.WRITE; // nobody in line has looked since this one came: the lock may be free
        } else if (place != null && !isMyTurn(now)) {
            wakeNanos = deadlineNanos;
            return false;
        } else if (now.nanos() - pendingNanos < 0) {
            wakeNanos = refused && pendingNanos - deadlineNanos > 0 ? deadlineNanos : pendingNanos;
            return false;
        } else if (place == null && waits && proposal == null && engine.lines.isWaitedFor(stored)) {
            getInLine(now);
            return true;
        }
        askedNanos = now.nanos();
        budget.sending(askedNanos);
        if (!engine.clock.isReady()) {
            askTheTime();
        } else if (pending == Request.WRITE) {
            write();
        } else {
            read();
        }
        return !Thread.currentThread().isInterrupted();
    }

    /** Whether an answer to a request that was sent since this began has shown somebody's lease. */
    private boolean isKnownToBeHeld() {
        return seenHeld || (place != null && place.sawItHeldSince(startedNanos));
    }

    private void sees(LockRow row) {
        seenHeld |= !row.isFree();
        if (place != null) {
            place.saw(row, askedNanos);
        }
    }

    private boolean isMyTurn(ClockReading now) {
        Waiter mine = Objects.requireNonNull(place);
        if (!mine.isFirst()) {
            return false;
        }
        if (mine.takeHandOver()) {
            pending = Request.WRITE;
            pendingNanos = now.nanos();
        } else if (!wasFirst) {
            lookLater(now);
        }
        wasFirst = true;
        return true;
    }

    // one request

    private void write() {
        Proposal sent = proposal == null ? proposer.propose(engine.clock.now(), engine.leaseIds.get()) : proposal;
        proposal = sent;
        try {
            Answer answer = engine.gate.acquire(request.name(), sent.write(), engine.attemptTimeout(lease));
            answered();
            judge(sent, answer);
        } catch (LockStoreException thrown) {
            sent.failed(thrown);
            failed(Operation.ACQUIRE, thrown);
        }
    }

    /**
     * Any answer tells the time, but nothing of a write that was not answered. The first request of a process may be slow, so
     * this one has all the time there is.
     */
    private void askTheTime() {
        try {
            engine.gate.read(request.name(), stored, false, engine.settings.callTimeoutFor(lease));
            if (openProposal() == null) {
                answered();
            }
        } catch (LockStoreException thrown) {
            failed(Operation.READ, thrown);
        }
    }

    private void judge(Proposal sent, Answer answer) {
        LockRow row = answer.row();
        ClockReading now = engine.clock.now();
        Verdict verdict = sent.judge(answer, now);
        proposer.learn(sent, verdict, row, now);
        if (row != null) {
            engine.damagedRows.saw(request.name(), row);
        }
        switch (verdict) {
            case HELD, TOO_LATE -> won(sent, verdict, row, now);
            case AGAIN -> again(sent, row == null ? LockRow.ABSENT : row, now);
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
        }
    }

    private void won(Proposal sent, Verdict verdict, @Nullable LockRow row, ClockReading now) {
        if (abandoned || engine.isClosed()) {
            engine.undo.start(request.name(), sent.write(), lease);
            proposal = null;
            return;
        }
        if (verdict == Verdict.TOO_LATE) {
            tooLate(sent, now);
            return;
        }
        HeldLease held = new HeldLease(engine, proposer.grantOf(sent, engine.onLostOf(request)), holder);
        held.begin();
        if (engine.isClosed()) {
            held.giveBack();
            engine.undo.start(request.name(), sent.write(), lease);
            proposal = null;
            return;
        }
        won = held;
        if (row != null) {
            sees(row);
        }
        finish();
        engine.listener.onAcquired(held, since(startedNanos), waited());
    }

    /** The answer came when the lease had ended already: it is not held, whatever the row says. */
    private void tooLate(Proposal sent, ClockReading now) {
        engine.undo.start(request.name(), sent.write(), lease);
        proposal = null;
        if (!waits || now.nanos() - deadlineNanos >= 0) {
            fail(new LockStoreException(
                    request.name(),
                    "Acquiring lock '%s' in %s was answered when the lease of %s had ended already: not held"
                            .formatted(request.name(), engine.gate.describe(), lease),
                    null,
                    false,
                    true));
        }
    }

    private void busy(Proposal sent, LockRow row, ClockReading now) {
        if (sent.isToBeUndone(Verdict.BUSY)) {
            engine.undo.start(request.name(), sent.write(), lease);
        }
        proposal = null;
        if (!triedAgain && Refusals.isPastEnd(row, now)) {
            triedAgain = true;
            return;
        }
        refused = true;
        seenHeld = true;
        lookout.refused(row, now);
        sees(row);
        if (!waits) {
            timeIsOver();
        } else if (place == null) {
            getInLine(now);
        } else {
            lookLater(now);
        }
    }

    private void read() {
        try {
            Answer answer = engine.gate.read(request.name(), stored, false, engine.attemptTimeout(lease));
            answered();
            ClockReading now = engine.clock.now();
            LockRow row = answer.row() == null ? LockRow.ABSENT : answer.row();
            sees(row);
            if (lookout.saw(row, now)) {
                pending = Request.WRITE;
                pendingNanos = now.nanos();
            } else {
                lookLater(now);
            }
        } catch (LockStoreException thrown) {
            failed(Operation.READ, thrown);
        }
    }

    // failures

    private void answered() {
        budget.answered();
        lastFailure = null;
    }

    private void failed(Operation what, LockStoreException thrown) {
        long now = engine.clock.nanos();
        lastFailure = thrown;
        Duration delay = budget.failed(thrown, now, Thread.currentThread().isInterrupted());
        if (delay == null) {
            engine.gate.givingUp(request.name(), what, thrown, budget);
            fail(thrown);
            return;
        }
        engine.gate.retrying(request.name(), what, thrown);
        pendingNanos = now + Durations.nanos(delay);
    }

    // waiting

    private void getInLine(ClockReading now) {
        refused = true;
        place = engine.lines.join(stored, wake);
        wasFirst = false;
        if (lookout.known() != null) {
            place.saw(lookout.known(), askedNanos);
        }
        engine.listener.onWaiting(busyState());
        if (place.isFirst()) {
            wasFirst = true;
            lookLater(now);
        }
    }

    private void lookLater(ClockReading now) {
        Lookout.Look look = lookout.next(now);
        pending = look.tries() ? Request.WRITE : Request.READ;
        pendingNanos = look.tries()
                ? look.atNanos()
                : engine.clock.tellingMomentAfter(now.nanos(), look.atNanos() - now.nanos());
    }

    private void timeIsOver() {
        if (lastFailure != null) {
            fail(lastFailure);
            return;
        }
        finish();
        engine.listener.onBusy(busyState(), since(startedNanos), waited());
    }

    // the end

    /** What may have been applied although nobody has said so. */
    private @Nullable Proposal openProposal() {
        return proposal != null && proposal.isUnanswered() ? proposal : null;
    }

    private void fail(RuntimeException thrown) {
        Proposal open = openProposal();
        if (open != null) {
            engine.undo.start(request.name(), open.write(), lease);
            failure = thrown instanceof LockStoreException typed ? typed.withUnknownOutcome() : thrown;
        } else {
            failure = thrown;
        }
        finish();
        engine.listener.onAcquireFailed(request.name(), failure, since(startedNanos));
    }

    private void finish() {
        done = true;
        proposal = null;
        engine.acquisitions.remove(this);
        if (place != null) {
            place.leave(won != null);
        }
    }

    private Duration since(long nanos) {
        return Duration.ofNanos(engine.clock.nanos() - nanos);
    }

    private Duration waited() {
        return place == null ? Duration.ZERO : since(startedNanos);
    }
}
