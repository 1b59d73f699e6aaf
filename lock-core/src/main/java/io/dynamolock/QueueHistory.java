/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import org.jspecify.annotations.Nullable;

/** What the waiters of one queue have sent and seen, and the releases in this JVM. Not thread-safe. */
final class QueueHistory {

    private @Nullable LockRow lastHeld;
    private @Nullable Long heldNanos;
    private @Nullable Long requestNanos;
    private int releases;
    private int responses;

    void requestSent(long nanos) {
        requestNanos = nanos;
    }

    /** Returns when the last request was sent; the given moment, from now on, if none was. */
    long lastRequestNanos(long nowNanos) {
        if (requestNanos == null) {
            requestNanos = nowNanos;
        }
        return requestNanos;
    }

    void responded() {
        responses++;
    }

    /** Returns the number of responses so far. */
    int responses() {
        return responses;
    }

    /** Records the row in the response to a request that was sent at the given time. */
    void observed(LockRow row, long sentNanos) {
        heldNanos = row.isFree() ? null : (Long) sentNanos;
        lastHeld = row.isFree() ? lastHeld : row;
    }

    /** Whether the newest row is held, and was seen in the response to a request that was sent since that moment. */
    boolean wasHeldSince(long nanos) {
        return heldNanos != null && heldNanos - nanos >= 0;
    }

    /** Returns the last row in which the lock was held; null if there is none since the last release in this JVM. */
    @Nullable
    LockRow lastHeld() {
        return lastHeld;
    }

    void released() {
        releases++;
        lastHeld = null;
        heldNanos = null;
    }

    /** Returns the number of releases in this JVM so far. */
    int releases() {
        return releases;
    }
}
