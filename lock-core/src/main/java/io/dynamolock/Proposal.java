/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LockStore.Acquire;

/**
 * One acquisition as it is written: the same values however often it is sent, so that its copies can be told from others.
 */
final class Proposal {

    private final Acquire write;
    private final ClockReading sent;
    private final LeaseEnd end;
    private boolean unanswered;

    /**
     * Creates a proposal.
     *
     * @param write what is sent
     * @param sent the clocks before the first attempt
     * @param end until when the holder may believe if it is applied
     */
    Proposal(Acquire write, ClockReading sent, LeaseEnd end) {
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

    LeaseEnd end() {
        return end;
    }

    void failed(LockStoreException failure) {
        unanswered |= failure.isOutcomeUnknown();
    }

    /** Whether a copy of it may have been applied, or may still be. */
    boolean isUnanswered() {
        return unanswered;
    }
}
