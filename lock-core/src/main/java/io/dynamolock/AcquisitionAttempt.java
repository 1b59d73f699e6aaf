/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockStore.Response;
import io.dynamolock.Proposal.Verdict;
import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one acquisition, one after the other. Each proposes a lease, and is sent with the same values until it
 * gets a response. One that may hold the lock although its lease is not held is undone.
 */
final class AcquisitionAttempt {

    private static final int MAX_OUTBIDS = 5;

    /** What follows from the response to a write. */
    sealed interface Outcome {

        /** The lease is held, and its heartbeat has begun. */
        record Acquired(HeldLease lease, LockWrite.Acquire write) implements Outcome {}

        /** Another lease holds the lock. */
        record Busy(LockRow row, ClockReading now) implements Outcome {}

        /** The next write may acquire the lock. */
        record Retry(long nanos) implements Outcome {}

        /** The lock cannot be acquired. */
        record Failed(RuntimeException failure) implements Outcome {}

        /** The lease was not wanted any more, and is undone. */
        record Unwanted() implements Outcome {}
    }

    private final AcquireContext acquire;
    private final EngineContext context;
    private final AcquisitionRequests requests;
    private final LockRequest request;
    private final String storedName;
    private final Duration leaseDuration;
    private final @Nullable Thread holder;
    private final long startedNanos;
    private final BooleanSupplier unwanted;
    private final Proposer proposer;

    private @Nullable Proposal proposal;
    private @Nullable Proposal lateProposal;
    private boolean retriedAfterEnd;
    private int outbids;

    /**
     * Creates an attempt that has written nothing.
     *
     * @param holder the thread that will hold the lease; null if there is none
     * @param startedNanos when the acquisition began
     * @param unwanted returns whether a lease is not wanted any more
     */
    AcquisitionAttempt(
            AcquireContext acquire,
            AcquisitionRequests requests,
            LockRequest request,
            @Nullable Thread holder,
            long startedNanos,
            BooleanSupplier unwanted) {
        this.acquire = acquire;
        this.context = acquire.engine();
        this.requests = requests;
        this.request = request;
        this.storedName = requests.storedName();
        this.leaseDuration = requests.leaseDuration();
        this.holder = holder;
        this.startedNanos = startedNanos;
        this.unwanted = unwanted;
        this.proposer = new Proposer(
                request,
                acquire.owner(),
                storedName,
                leaseDuration,
                context.lockDelay,
                context.tokens,
                context.observations,
                context.claims);
    }

    /** Whether a write may have been applied without a response. */
    boolean isOpen() {
        return openProposal() != null;
    }

    /** Whether another write must follow: one with an unknown outcome is repeated, and a late lease is replaced. */
    boolean mustGoOn() {
        return isOpen() || replacesLateLease();
    }

    private @Nullable Proposal openProposal() {
        return proposal != null && proposal.isUnanswered() ? proposal : null;
    }

    /** Writes once; throws LockStoreException if there is no response. */
    Outcome write(ClockReading now) {
        Proposal sent = proposal == null ? propose(now) : proposal;
        if (sent == null) {
            return new Outcome.Failed(context.implausibleClock(request.name()));
        }
        proposal = sent;
        try {
            return evaluate(sent, requests.write(sent.write()));
        } catch (LockStoreException failure) {
            sent.failed(failure);
            throw failure;
        }
    }

    /** Returns a new proposal; null if this machine's clock permits none. */
    private @Nullable Proposal propose(ClockReading now) {
        boolean timeIsNew = now.time() == LeaseTime.OBSERVED && context.clock.isReady(); // by another request
        ClockReading latest = timeIsNew ? context.clock.now() : now;
        return FencingTokens.canPropose(latest) ? proposer.propose(latest, context.leaseIds.get()) : null;
    }

    private Outcome evaluate(Proposal sent, Response response) {
        LockRow row = response.row();
        ClockReading now = context.clock.now();
        Verdict verdict = sent.evaluate(response, now);
        proposer.recordResponse(sent, verdict, row, now);
        if (response.applied()) {
            context.corruptRows.forget(request.name());
        } else if (row != null) {
            boolean takeable = context.observations.isTakeable(storedName, row, now);
            context.corruptRows.check(request.name(), row, takeable, now);
            if (takeable && row.isClosed()) {
                return new Outcome.Failed(context.corruptRows.closedRowException(request.name(), row));
            }
        }
        return switch (verdict) {
            case HELD, TOO_LATE -> won(sent, verdict, now);
            case RETRY -> retryHigher(sent, row == null ? LockRow.ABSENT : row, now);
            case CLAIMED -> claimed(sent, Objects.requireNonNull(row), now);
            case BUSY -> busy(sent, Objects.requireNonNull(row), now);
        };
    }

    private Outcome won(Proposal sent, Verdict verdict, ClockReading now) {
        if (unwanted.getAsBoolean()) {
            undo(sent);
            return new Outcome.Unwanted();
        }
        if (verdict == Verdict.TOO_LATE) {
            return tooLate(sent, now);
        }
        HeldLease held = acquire.lease(proposer.grantOf(sent, context.onLostOf(request)), holder);
        if (!held.begin(now, () -> undo(sent))) {
            return new Outcome.Unwanted();
        }
        return new Outcome.Acquired(held, sent.write());
    }

    private void undo(Proposal sent) {
        proposal = null;
        acquire.undo().start(request.name(), sent, leaseDuration);
    }

    /**
     * Handles a response that arrived after the lease had ended: the lease is not held, whatever the row contains. The
     * next write replaces it, if there is time for one.
     */
    private Outcome tooLate(Proposal sent, ClockReading now) {
        boolean first = lateProposal == null;
        lateProposal = sent;
        proposal = null;
        proposer.replaceOnly(sent.write().leaseId());
        return retryAfterTooLate(first ? 0 : gapNanos(now), now);
    }

    /**
     * Whether the next write replaces a lease that was late: this caller's own, though other callers saw it hold the
     * lock.
     */
    private boolean replacesLateLease() {
        return lateProposal != null && proposer.replaces(lateProposal.write().leaseId());
    }

    private boolean isLateLease(LockRow row) {
        return lateProposal != null && row.isHeldBy(lateProposal.write().leaseId());
    }

    private long gapNanos(ClockReading now) {
        return context.pollBackoffOf(request).delayNanos(now.nanos() - startedNanos);
    }

    private Outcome retryAfterTooLate(long delayNanos, ClockReading now) {
        if (now.nanos() + delayNanos - requests.endNanos() >= 0) {
            return new Outcome.Failed(new LockStoreException(
                    request.name(),
                    ("Lock '%s' in %s was not acquired: the response arrived when the lease of %s had ended already."
                                    + " Raise leaseDuration, or find what delays this process or its connection")
                            .formatted(request.name(), context.client.describe(), Durations.shown(leaseDuration)),
                    null,
                    false,
                    true));
        }
        return new Outcome.Retry(now.nanos() + delayNanos);
    }

    /**
     * Writes again: the proposal was probably outbid by a token that is known now. A row that keeps rejecting proposals
     * cannot be understood, and is treated as held.
     */
    private Outcome retryHigher(Proposal sent, LockRow row, ClockReading now) {
        outbids++;
        if (outbids % MAX_OUTBIDS == 0) {
            return busy(sent, row, now);
        }
        proposal = null;
        return new Outcome.Retry(now.nanos());
    }

    /** Writes the same proposal again, despite a claim that is over; a lock that is reserved is busy. */
    private Outcome claimed(Proposal sent, LockRow row, ClockReading now) {
        TurnClaim claim = row.claim();
        if (claim == null || context.claims.isReserved(storedName, row, now) || ++outbids % MAX_OUTBIDS == 0) {
            return busy(sent, row, now);
        }
        proposal = sent.despite(claim);
        return new Outcome.Retry(now.nanos());
    }

    private Outcome busy(Proposal sent, LockRow row, ClockReading now) {
        if (sent.needsUndo(Verdict.BUSY)) {
            acquire.undo().start(request.name(), sent, leaseDuration);
        }
        proposal = null;
        if (isLateLease(row)) {
            return retryAfterTooLate(gapNanos(now), now); // probably outbid
        }
        proposer.replaceOnly(null);
        if (!retriedAfterEnd && ConditionFailures.isPastEnd(row, now)) {
            retriedAfterEnd = true;
            return new Outcome.Retry(now.nanos());
        }
        return new Outcome.Busy(row, now);
    }

    /** Drops a write that was certainly not applied, as its lease duration has begun. */
    void startOver() {
        proposal = null;
    }

    /** Undoes a write that may have been applied without a response. */
    void undoOpen() {
        Proposal open = openProposal();
        if (open != null) {
            acquire.undo().start(request.name(), open, leaseDuration);
        }
    }

    /** Ends the attempt; undoes a late lease that was not replaced. */
    void end(boolean acquired) {
        proposal = null;
        if (lateProposal != null && !acquired) {
            acquire.undo().start(request.name(), lateProposal, leaseDuration);
        }
    }
}
