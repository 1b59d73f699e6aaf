/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.LocalWaitQueues.Waiter;
import org.jspecify.annotations.Nullable;

/** What an acquisition, and those that wait with it, know of the holder. Not thread-safe. */
final class KnownHolder {

    private final QueueHistory own = new QueueHistory();
    private long requestNanos;
    private int releasesBeforeRequest;
    private int releasesBefore;

    void requestSent(long nowNanos, @Nullable Waiter waiter) {
        requestNanos = nowNanos;
        if (waiter != null) {
            releasesBeforeRequest = waiter.releases();
            waiter.requestSent(nowNanos);
        }
    }

    /** Returns when the last request was sent. */
    long requestNanos() {
        return requestNanos;
    }

    /** Records the row in the response to the last request, and shares it with those that wait. */
    void observed(LockRow row, @Nullable Waiter waiter) {
        own.observed(row, requestNanos);
        releasesBefore = releasesBeforeRequest;
        if (waiter != null) {
            waiter.observed(row, requestNanos);
        }
    }

    /**
     * Whether a request of this acquisition sent since that moment, or another one sent after it, found the lock held,
     * and nobody in this JVM has released it since that request.
     */
    boolean holdsSince(long nanos, @Nullable Waiter waiter) {
        boolean held = own.wasHeldSince(nanos);
        return waiter == null
                ? held
                : (held && waiter.releases() == releasesBefore) || waiter.wasObservedHeldAfter(nanos);
    }

    /** Returns the state of the lock, as those that wait last observed it. */
    LockState state(String name, @Nullable Waiter waiter) {
        LockRow newest = waiter == null ? null : waiter.lastHeld();
        return LockState.of(name, newest == null ? own.lastHeld() : newest, false);
    }
}
