/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

/** The next request of an acquisition, and the one that is still sent after the wait time has elapsed. Pure. */
final class NextRequest {

    private enum Request {
        WRITE,
        READ
    }

    /** The request that is still sent after the wait time has elapsed. */
    enum LastPoll {
        UNDECIDED,
        READ,
        WRITE,
        NOTHING
    }

    private Request pending = Request.WRITE;
    private long nanos;
    private LastPoll lastPoll = LastPoll.UNDECIDED;

    NextRequest(long nanos) {
        this.nanos = nanos;
    }

    boolean isWrite() {
        return pending == Request.WRITE;
    }

    /** Returns when it is due, on the monotonic clock. */
    long nanos() {
        return nanos;
    }

    /** Schedules a write, as the lock may be free by then. */
    void writeAt(long atNanos) {
        pending = Request.WRITE;
        nanos = atNanos;
        if (lastPoll == LastPoll.NOTHING) {
            lastPoll = LastPoll.WRITE;
        }
    }

    /** Schedules a poll: a write, or else a read. */
    void pollAt(boolean writes, long atNanos) {
        pending = writes ? Request.WRITE : Request.READ;
        nanos = atNanos;
    }

    /** Schedules the same request again. */
    void retryAt(long atNanos) {
        nanos = atNanos;
    }

    /** Records that the request is sent. */
    void sent() {
        if (lastPoll != LastPoll.UNDECIDED) {
            lastPoll = LastPoll.NOTHING;
        }
    }

    boolean isLastUndecided() {
        return lastPoll == LastPoll.UNDECIDED;
    }

    void decideAtEnd(LastPoll last, long nowNanos) {
        lastPoll = last;
        nanos = nowNanos;
    }

    /** Makes the last request the next one; returns false if there is none. */
    boolean scheduleLast() {
        pending = lastPoll == LastPoll.READ ? Request.READ : Request.WRITE;
        return lastPoll != LastPoll.NOTHING;
    }
}
