/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockStore.Acquire;
import io.dynamolock.LockStore.Answer;

/**
 * One acquisition as it is written: the same values however often it is sent, so that its copies can be told from others.
 */
final class Proposal {

    /** What an answer makes of it. */
    enum Verdict {
        /** Applied, and still within its own end: held. */
        HELD,
        /** Applied, but its end has passed already: not held, whatever the row says. */
        TOO_LATE,
        /** Nobody is in the way but a higher token: propose anew. */
        AGAIN,
        /** Somebody else holds the lock. */
        BUSY
    }

    private final Acquire write;
    private final ClockReading sent;
    private final LeaseExpiry end;
    private boolean unanswered;

    /**
     * Creates a proposal.
     *
     * @param write what is sent
     * @param sent the clocks before the first attempt
     * @param end until when the holder may believe if it is applied
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

    void failed(LockStoreException failure) {
        unanswered |= failure.isOutcomeUnknown();
    }

    /** What its row, or the refusal, means at this moment. */
    Verdict judge(Answer answer, ClockReading now) {
        ConditionFailures.Acquisition meaning = answer.applied()
                ? ConditionFailures.Acquisition.OURS
                : ConditionFailures.ofAcquire(write, answer.row(), sent);
        return switch (meaning) {
            case OURS -> end.isPast(now) ? Verdict.TOO_LATE : Verdict.HELD;
            case AGAIN -> Verdict.AGAIN;
            case BUSY -> Verdict.BUSY;
        };
    }

    /** Whether it must be undone after this verdict. One that was outbid is dead, as its token is used up. */
    boolean isToBeUndone(Verdict verdict) {
        return verdict == Verdict.TOO_LATE || (verdict == Verdict.BUSY && unanswered);
    }

    /** Whether a copy of it may have been applied, or may still be. */
    boolean isUnanswered() {
        return unanswered;
    }
}
