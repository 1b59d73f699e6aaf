/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.ConditionFailures.AcquireRefusal;
import io.dynamolock.LockStore.Response;
import io.dynamolock.LockWrite.Acquire;

/**
 * The write of one acquisition: it has the same values however often it is sent, so that its copies can be recognized.
 */
final class Proposal {

    /** Result of a proposal, from the response to it. */
    enum Verdict {
        /** Applied, and before its own end: held. */
        HELD,
        /** Applied, but past its own end: not held, whatever the row contains. */
        TOO_LATE,
        /** No other owner holds the lock, but a higher token was used: propose again. */
        RETRY,
        /** The lock is free, but claimed. */
        CLAIMED,
        /** Another lease holds the lock. */
        BUSY
    }

    private final Acquire write;
    private final ClockReading sent;
    private final LeaseExpiry end;
    private boolean unanswered;

    /**
     * Creates a proposal.
     *
     * @param write the write to send
     * @param sent the clocks before the first attempt
     * @param end until when the holder may rely on the lease if the write is applied
     */
    Proposal(Acquire write, ClockReading sent, LeaseExpiry end) {
        this.write = write;
        this.sent = sent;
        this.end = end;
    }

    Acquire write() {
        return write;
    }

    ClockReading sent() {
        return sent;
    }

    LeaseExpiry end() {
        return end;
    }

    /** Returns the same proposal, for a free lock with this claim. */
    Proposal despite(TurnClaim claim) {
        Proposal despite = new Proposal(write.despite(claim), sent, end);
        despite.unanswered = unanswered;
        return despite;
    }

    void failed(LockStoreException failure) {
        unanswered |= failure.isOutcomeUnknown();
    }

    /** Returns what a response, with the row or the rejection, means at this moment. */
    Verdict evaluate(Response response, ClockReading now) {
        AcquireRefusal meaning =
                response.applied() ? AcquireRefusal.ACQUIRED : ConditionFailures.ofAcquire(write, response.row(), sent);
        return switch (meaning) {
            case ACQUIRED -> end.isPast(now) ? Verdict.TOO_LATE : Verdict.HELD;
            case RETRY -> Verdict.RETRY;
            case CLAIMED -> Verdict.CLAIMED;
            case BUSY -> Verdict.BUSY;
        };
    }

    /**
     * Whether the proposal must be undone after this verdict. One that lost to a higher token cannot be applied any
     * more, as its token is used.
     */
    boolean needsUndo(Verdict verdict) {
        boolean mayReturn = verdict == Verdict.BUSY || verdict == Verdict.CLAIMED;
        return verdict == Verdict.TOO_LATE || (mayReturn && unanswered);
    }

    /** Whether a copy of the write may have been applied, or may still be. */
    boolean isUnanswered() {
        return unanswered;
    }
}
