/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Clock;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Tells within which bounds the common time lies, on top of the monotonic clock. */
interface LeaseClock {

    /**
     * Reads the clocks, the monotonic one first. If the machine is suspended between the two, the wall clock shows that the time
     * of the reading is after it; if the process is paused, the wall clock alone is late, which looks like a suspension: what is
     * known is taken for wider than it is, in this reading and in whatever is learned with its help.
     */
    ClockReading now();

    long nanos();

    /**
     * Learns from an answer of the store. Reads no clock: a machine that is suspended after the answer was received has moved
     * its clocks against each other, and a later reading notices that only if it is compared with the one from the receipt.
     *
     * @param sent not after the request was sent
     * @param received not before the answer was there
     * @param date what the answer said, in whole seconds; null if it said nothing usable
     */
    void answered(ClockReading sent, ClockReading received, @Nullable Instant date);

    /** Whether it knows enough to write an end into a row; if not, any answer of the store helps. */
    boolean isReady();

    /**
     * When between two moments an answer would tell most about the common time; the later one if that is known well enough, or
     * if somebody else is going to ask. So one request that is sent anyway goes out a little earlier now and then.
     */
    default long mostInformativeTime(long fromNanos, long toNanos) {
        return toNanos;
    }

    /** The {@linkplain #mostInformativeTime telling moment} for what is due after a delay: not before half of it is over. */
    default long mostInformativeTimeAfter(long nanos, long delayNanos) {
        return mostInformativeTime(nanos + delayNanos / 2, nanos + delayNanos);
    }

    static LeaseClock of(LockSettings settings, Clock wall, LongSupplier nanoTime, LockListener listener) {
        return settings.time() == LeaseTime.SERVER
                ? new ServerLeaseClock(wall, nanoTime, settings.maxClockSkew(), listener)
                : new WallLeaseClock(wall, nanoTime, settings.maxClockSkew(), settings.time(), listener);
    }
}
