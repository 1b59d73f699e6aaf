/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.IntervalClock;
import io.dynamolock.time.IntervalClock.Range;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store's time, derived from the dates of its responses. While it is refuted or unknown there is no common time:
 * leases then end by observation only, never by the wall clock, which other processes would trust.
 */
final class ServerLeaseClock implements LeaseClock {

    private static final Logger LOG = LoggerFactory.getLogger(ServerLeaseClock.class);
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Clock wall;
    private final LongSupplier nanoTime;
    private final LockListener listener;
    private volatile IntervalClock interval;
    private @Nullable Long plannedSampleNanos; // the next request planned for a most informative time

    ServerLeaseClock(Clock wall, LongSupplier nanoTime, Duration maxSkew, LockListener listener) {
        this(wall, nanoTime, IntervalClock.empty(maxSkew), listener);
    }

    /** Creates a clock that continues from an earlier state. */
    ServerLeaseClock(Clock wall, LongSupplier nanoTime, IntervalClock interval, LockListener listener) {
        this.wall = wall;
        this.nanoTime = nanoTime;
        this.listener = listener;
        this.interval = interval;
    }

    IntervalClock interval() {
        return interval;
    }

    @Override
    public ClockReading now() {
        long nanos = nanos();
        Instant time = wall.instant();
        long millis = time.toEpochMilli();
        IntervalClock clock = interval;
        Range range = clock.isRefuted(nanos) ? null : clock.rangeAt(nanos, time);
        if (range == null) {
            return new ClockReading(nanos, millis, millis, millis, LeaseTime.OBSERVED, clock.latestMillis(nanos, time));
        }
        return new ClockReading(
                nanos,
                millis,
                Math.floorDiv(nanos + range.low(), NANOS_PER_MILLI),
                Math.floorDiv(nanos + range.high(), NANOS_PER_MILLI) + 1,
                LeaseTime.SERVER);
    }

    @Override
    public ClockReading machine() {
        return ClockReading.ofMachine(nanos(), wall.instant());
    }

    @Override
    public long nanos() {
        return nanoTime.getAsLong();
    }

    @Override
    public void onResponse(ClockReading sent, ClockReading received, @Nullable Instant date) {
        IntervalClock before;
        IntervalClock after;
        synchronized (this) {
            before = interval;
            after = received.addTo(before, sent, date);
            interval = after;
        }
        report(before, after, received.nanos(), received.wall());
    }

    private void report(IntervalClock before, IntervalClock after, long nanos, Instant time) {
        if (after.isRefuted(nanos) && !before.isRefuted(nanos)) {
            LOG.warn(
                    "The dates of the store's responses contradict each other beyond the allowed clock skew; until an hour"
                            + " has passed without a contradiction, leases of others are taken over by observation only."
                            + " Check what may change or cache responses on their way");
            listener.onClockUntrusted(LockListener.ClockProblem.CONTRADICTION);
        } else if (after.undated() && !before.undated()) {
            LOG.warn("The store's responses carry no usable date; leases of others are taken over by observation only");
            listener.onClockUntrusted(LockListener.ClockProblem.UNDATED);
        } else if (before.range() == null && after.isFarOffTheWallClock()) {
            LOG.warn(
                    "The first dates of the store's responses agree with each other and are more than an hour off this"
                            + " machine's wall clock ({}). They are trusted: if they are wrong, this process can take over locks that are still held."
                            + " Check this machine's clock",
                    time);
        }
        Range range = after.rangeAt(nanos, time);
        if (range != null && !after.isRefuted(nanos) && !after.undated()) {
            listener.onClockSample(range.wallSkew(), Duration.ofNanos(range.width()));
        }
    }

    @Override
    public long mostInformativeTime(ClockReading now, long fromNanos, long toNanos) {
        Long moment = interval.mostInformativeTimeUpTo(toNanos, now.wall().plusNanos(toNanos - now.nanos()));
        return moment != null && moment - fromNanos >= 0 && planSample(moment, now.nanos()) ? moment : toNanos;
    }

    /** Plans a request for that moment; returns false if another one is planned already. */
    private synchronized boolean planSample(long moment, long nanos) {
        boolean planned = plannedSampleNanos != null && plannedSampleNanos - nanos > 0;
        if (!planned) {
            plannedSampleNanos = moment;
        }
        return !planned;
    }

    @Override
    public boolean isReady() {
        long nanos = nanos();
        IntervalClock clock = interval;
        return clock.isRefuted(nanos) || clock.undated() || !clock.isVoid(nanos, wall.instant());
    }
}
