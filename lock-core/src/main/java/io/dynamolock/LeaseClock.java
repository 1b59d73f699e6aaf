/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Clock;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Provides the bounds of the common time, based on the monotonic clock. */
interface LeaseClock {

    /**
     * Reads the clocks, the monotonic one first. If the machine is suspended between the two reads, the wall clock
     * shows that the moment of the reading is after the suspension. If the process is paused, only the wall clock is
     * late, which looks like a suspension: the bounds are then treated as wider than they are, in this reading and in
     * everything derived from it.
     */
    ClockReading now();

    /** Reads this machine's clocks only, in the same order: all that the moments of a request need. */
    ClockReading machine();

    long nanos();

    /**
     * Processes a response of the store. Reads no clock: a suspension after the response was received shifts the clocks
     * against each other, and a later reading detects that only if it is compared with the reading from the receipt.
     *
     * @param sent not after the request was sent
     * @param received not before the response arrived
     * @param date the date of the response, in whole seconds; null if it carried none that is usable
     */
    void onResponse(ClockReading sent, ClockReading received, @Nullable Instant date);

    /** Whether the time is known well enough to write an end into a row; if not, any response of the store helps. */
    boolean isReady();

    /**
     * Returns the moment between the two at which a response would narrow the common time most; the later one if that
     * is known well enough already, or if another request is planned for such a moment. A request that is sent anyway
     * then goes out a little earlier now and then.
     *
     * @param now a recent reading
     */
    default long mostInformativeTime(ClockReading now, long fromNanos, long toNanos) {
        return toNanos;
    }

    /**
     * Returns the {@linkplain #mostInformativeTime most informative time} for a request that is due after a delay, not
     * before half of the delay has passed.
     */
    default long mostInformativeTimeAfter(ClockReading now, long nanos, long delayNanos) {
        return mostInformativeTime(now, nanos + delayNanos / 2, nanos + delayNanos);
    }

    static LeaseClock of(LockSettings settings, Clock wall, LongSupplier nanoTime, LockListener listener) {
        return settings.time() == LeaseTime.SERVER
                ? new ServerLeaseClock(wall, nanoTime, settings.maxClockSkew(), listener)
                : new WallLeaseClock(wall, nanoTime, settings.maxClockSkew(), settings.time(), listener);
    }
}
