/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.coordination;

import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A time that all calls which await the same event share, from the first one that waits. */
final class SharedWait {

    private final LongSupplier nanoTime;
    private final Duration waitTime;
    private @Nullable Countdown countdown;

    SharedWait(LongSupplier nanoTime, Duration waitTime) {
        this.nanoTime = nanoTime;
        this.waitTime = waitTime;
    }

    /** The next call is the first one that awaits another event. */
    synchronized void renew() {
        countdown = null;
    }

    /** Returns how long the calling thread may wait. */
    synchronized Duration remaining() {
        if (countdown == null) {
            countdown = new Countdown(nanoTime, waitTime);
        }
        return countdown.remaining();
    }
}
