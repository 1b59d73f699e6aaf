/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.IntervalClock.Range;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store's time, as its answers tell it. While that is refuted or not told there is no common time: ends are then left to
 * observation, never to the wall clock, which a rival would believe.
 */
final class ServerLeaseClock implements LeaseClock {

    private static final Logger LOG = LoggerFactory.getLogger(ServerLeaseClock.class);
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final Clock wall;
    private final LongSupplier nanoTime;
    private final LockListener listener;
    private volatile IntervalClock known;
    private @Nullable Long asked; // when somebody is going to ask at a telling moment

    ServerLeaseClock(Clock wall, LongSupplier nanoTime, Duration maxSkew, LockListener listener) {
        this(wall, nanoTime, IntervalClock.empty(maxSkew), listener);
    }

    /** Goes on from what is known already. */
    ServerLeaseClock(Clock wall, LongSupplier nanoTime, IntervalClock known, LockListener listener) {
        this.wall = wall;
        this.nanoTime = nanoTime;
        this.listener = listener;
        this.known = known;
    }

    IntervalClock known() {
        return known;
    }

    @Override
    public ClockReading now() {
        long nanos = nanos();
        Instant time = wall.instant();
        long millis = time.toEpochMilli();
        IntervalClock clock = known;
        Range range = clock.isRefuted(nanos) ? null : clock.at(nanos, time);
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
    public long nanos() {
        return nanoTime.getAsLong();
    }

    @Override
    public void answered(ClockReading sent, ClockReading received, @Nullable Instant date) {
        IntervalClock before;
        IntervalClock after;
        synchronized (this) {
            before = known;
            after = before.answered(sent, received, date);
            known = after;
        }
        report(before, after, received.nanos(), received.wall());
    }

    private void report(IntervalClock before, IntervalClock after, long nanos, Instant time) {
        if (after.isRefuted(nanos) && !before.isRefuted(nanos)) {
            LOG.warn(
                    "The dates of the store's answers contradict each other beyond the allowed clock skew; until an hour"
                            + " has passed without that, leases of others are taken over by observation only");
            listener.onClockUntrusted(LockListener.ClockProblem.CONTRADICTION);
        } else if (after.undated() && !before.undated()) {
            LOG.warn("The store's answers carry no usable date; leases of others are taken over by observation only");
            listener.onClockUntrusted(LockListener.ClockProblem.UNDATED);
        } else if (before.range() == null && after.isFarOffTheWallClock()) {
            LOG.warn(
                    "The first dates of the store's answers agree with each other and are more than an hour off this"
                            + " machine's wall clock ({}); they are believed, so if they are wrong, locks are taken that others hold",
                    time);
        }
        Range range = after.at(nanos, time);
        if (range != null) {
            Duration width = Duration.ofNanos(range.width());
            Duration skew = Duration.ofNanos(range.wallOffset() - (range.low() + range.width() / 2));
            listener.onClockSample(skew, width);
        }
    }

    @Override
    public long mostInformativeTime(long fromNanos, long toNanos) {
        long nanos = nanos();
        Long moment = known.tellingMomentUpTo(toNanos, wall.instant().plusNanos(toNanos - nanos));
        return moment != null && moment - fromNanos >= 0 && willBeAsked(moment, nanos) ? moment : toNanos;
    }

    /** Whether nobody else was going to ask in a while. */
    private synchronized boolean willBeAsked(long moment, long nanos) {
        boolean already = asked != null && asked - nanos > 0;
        if (!already) {
            asked = moment;
        }
        return !already;
    }

    @Override
    public boolean isReady() {
        long nanos = nanos();
        IntervalClock clock = known;
        return clock.isRefuted(nanos) || clock.undated() || !clock.isVoid(nanos, wall.instant());
    }
}
