/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockListener.Operation;
import io.dynamolock.LockStore.Acquire;
import io.dynamolock.LockStore.Answer;
import io.dynamolock.LockStore.Free;
import io.dynamolock.LockStore.FreeOrExpired;
import io.dynamolock.LockStore.Guard;
import io.dynamolock.LockStore.Unchanged;
import io.dynamolock.WaitLines.Waiter;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.UUID;
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
    private final String owner;
    private final long startedNanos;
    private final long deadlineNanos;
    private final boolean waits;

    private Request pending = Request.WRITE;
    private long pendingNanos;
    private long wakeNanos;

    private @Nullable Proposal proposal;
    private int failures;
    private long giveUpNanos;
    private @Nullable LockStoreException lastFailure;
    private boolean triedAgain;

    private @Nullable Waiter place;
    private boolean wasFirst;
    private final Lookout lookout;
    private boolean refused;

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
        this.lease = engine.leaseOf(request);
        this.owner = request.owner() == null ? defaultOwner : request.owner();
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
            timeIsOver();
            return false;
        }
        if (place != null && !isMyTurn(now)) {
            wakeNanos = deadlineNanos;
            return false;
        }
        if (now.nanos() - pendingNanos < 0) {
            wakeNanos = refused && pendingNanos - deadlineNanos > 0 ? deadlineNanos : pendingNanos;
            return false;
        }
        if (place == null && waits && proposal == null && engine.lines.isWaitedFor(stored)) {
            getInLine(now);
            return true;
        }
        if (!engine.clock.isReady()) {
            askTheTime();
        } else if (pending == Request.WRITE) {
            write();
        } else {
            read();
        }
        return !Thread.currentThread().isInterrupted();
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
        Proposal sent = proposal == null ? propose() : proposal;
        proposal = sent;
        try {
            Answer answer = engine.gate.acquire(request.name(), sent.write(), timeout());
            answered();
            judge(sent, answer);
        } catch (LockStoreException thrown) {
            sent.failed(thrown);
            failed(Operation.ACQUIRE, thrown);
        }
    }

    /** Any answer tells the time. The first request of a process may be slow, so this one has all the time there is. */
    private void askTheTime() {
        try {
            engine.gate.read(request.name(), stored, false, engine.settings.callTimeoutFor(lease));
            answered();
        } catch (LockStoreException thrown) {
            failed(Operation.READ, thrown);
        }
    }

    private Proposal propose() {
        ClockReading now = engine.clock.now();
        LeaseEnd end = LeaseEnd.after(now, lease);
        Acquire write = new Acquire(
                stored,
                UUID.randomUUID().toString(),
                owner,
                engine.tokens.propose(now, engine.observations.highestToken(stored)),
                engine.inRow(lease),
                Instant.ofEpochMilli(now.middleMillis()),
                engine.inRow(end),
                now.time(),
                request.metadata(),
                guard(now));
        return new Proposal(write, now, end);
    }

    private Guard guard(ClockReading now) {
        LockRow still = engine.observations.stoodStill(stored, now.nanos());
        if (still != null && still.leaseId() != null) {
            return new Unchanged(still.leaseId(), still.renewals());
        }
        return now.time() == LeaseTime.OBSERVED
                ? new Free()
                : new FreeOrExpired(Instant.ofEpochMilli(now.earliestMillis()), now.time());
    }

    private void judge(Proposal sent, Answer answer) {
        LockRow row = answer.row();
        ClockReading now = engine.clock.now();
        Refusals.Acquisition meaning =
                answer.applied() ? Refusals.Acquisition.OURS : Refusals.ofAcquire(sent.write(), row, sent.sent());
        if (row != null && (meaning != Refusals.Acquisition.OURS || isAhead(sent, now))) {
            engine.observations.saw(stored, row, now.nanos());
        } else {
            engine.observations.forget(stored);
        }
        switch (meaning) {
            case OURS -> won(sent, row, now);
            case AGAIN -> proposal = null;
            case BUSY -> busy(sent, Objects.requireNonNull(row), now);
        }
    }

    /** Whether the token is higher than this process's clock would propose soon, so that it must be remembered. */
    private static boolean isAhead(Proposal sent, ClockReading now) {
        return sent.write().token() > now.latestMillis() * 1024;
    }

    private void won(Proposal sent, @Nullable LockRow row, ClockReading now) {
        if (abandoned || engine.isClosed()) {
            engine.undo.start(request.name(), sent.write(), lease);
            proposal = null;
            return;
        }
        if (sent.end().isPast(now)) {
            tooLate(sent, now);
            return;
        }
        HeldLease held = new HeldLease(engine, grantOf(sent), holder);
        held.begin();
        if (engine.isClosed()) {
            held.finish(LeaseState.RELEASED);
            engine.undo.start(request.name(), sent.write(), lease);
            proposal = null;
            return;
        }
        won = held;
        if (place != null && row != null) {
            place.saw(row);
        }
        finish();
        engine.listener.onAcquired(held, since(startedNanos), waited());
    }

    private Grant grantOf(Proposal sent) {
        Acquire write = sent.write();
        return new Grant(
                request.name(),
                stored,
                write.leaseId(),
                owner,
                write.token(),
                write.metadata(),
                lease,
                sent.sent(),
                sent.end(),
                request.autoRenew(),
                request.maxHold(),
                request.minHold());
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
        if (sent.isUnanswered()) {
            engine.undo.start(request.name(), sent.write(), lease);
        }
        proposal = null;
        if (!triedAgain && Refusals.isPastEnd(row, now)) {
            triedAgain = true;
            return;
        }
        refused = true;
        lookout.refused(row, now);
        if (place != null) {
            place.saw(row);
        }
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
            Answer answer = engine.gate.read(request.name(), stored, false, timeout());
            answered();
            ClockReading now = engine.clock.now();
            LockRow row = answer.row() == null ? LockRow.ABSENT : answer.row();
            if (place != null) {
                place.saw(row);
            }
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

    private Duration timeout() {
        return engine.settings.attemptTimeoutFor(lease);
    }

    // failures

    private void answered() {
        failures = 0;
        lastFailure = null;
    }

    private void failed(Operation what, LockStoreException thrown) {
        long now = engine.clock.nanos();
        if (failures == 0) {
            giveUpNanos = now + Durations.nanos(engine.settings.callTimeoutFor(lease));
        }
        failures++;
        lastFailure = thrown;
        boolean cut = Thread.currentThread().isInterrupted();
        Duration delay = cut ? Duration.ZERO : engine.gate.delayAfter(failures, thrown);
        if (delay == null || now + delay.toNanos() - giveUpNanos > 0) {
            fail(thrown);
            return;
        }
        engine.gate.retrying(request.name(), what, thrown);
        pendingNanos = now + delay.toNanos();
    }

    // waiting

    private void getInLine(ClockReading now) {
        refused = true;
        place = engine.lines.join(stored, wake);
        wasFirst = false;
        if (lookout.known() != null) {
            place.saw(lookout.known());
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
        pendingNanos = look.atNanos();
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

    private void fail(RuntimeException thrown) {
        Proposal open = proposal;
        if (open != null && open.isUnanswered()) {
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
