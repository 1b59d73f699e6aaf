/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import org.jspecify.annotations.Nullable;

/** What one waiter, or those of one queue, have sent and seen, and the releases in this JVM. Thread-safe. */
final class QueueHistory {

    private @Nullable LockRow lastHeld;
    private @Nullable Long heldNanos;
    private @Nullable Long newestNanos;
    private @Nullable Long requestNanos;
    private int releases;
    private int responses;

    synchronized void requestSent(long nanos) {
        requestNanos = nanos;
    }

    /** Returns when the last request was sent; the given moment, from now on, if none was. */
    synchronized long lastRequestNanos(long nowNanos) {
        if (requestNanos == null) {
            requestNanos = nowNanos;
        }
        return requestNanos;
    }

    synchronized void responded() {
        responses++;
    }

    /** Returns the number of responses so far. */
    synchronized int responses() {
        return responses;
    }

    /** Records the row in the response to a request that was sent at that time, unless a later one was answered. */
    synchronized void observed(LockRow row, long sentNanos) {
        if (newestNanos != null && sentNanos - newestNanos < 0) {
            return;
        }
        newestNanos = sentNanos;
        if (!row.isFree()) {
            lastHeld = row;
            heldNanos = sentNanos;
        } else if (row.claim() == null) {
            heldNanos = null; // one with a claim is reserved for one of those that wait
        }
    }

    /** Whether a request sent since that moment has seen the lock held, and none has seen it free for all since. */
    synchronized boolean wasHeldSince(long nanos) {
        return heldNanos != null && heldNanos - nanos >= 0;
    }

    /** Returns the last row in which the lock was held; null if there is none since the last release in this JVM. */
    synchronized @Nullable LockRow lastHeld() {
        return lastHeld;
    }

    synchronized void released() {
        releases++;
        lastHeld = null;
        heldNanos = null;
    }

    /** Returns the number of releases in this JVM so far. */
    synchronized int releases() {
        return releases;
    }
}
