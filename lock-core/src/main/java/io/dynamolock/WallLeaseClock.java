/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import io.dynamolock.time.IntervalClock;
import io.dynamolock.time.IntervalClock.Range;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The wall clock, plus or minus half of the allowed skew; or no common time at all. The store's dates decide nothing
 * here, but a warning is logged if they show that the wall clock is farther off than allowed.
 */
final class WallLeaseClock implements LeaseClock {

    private static final Logger LOG = LoggerFactory.getLogger(WallLeaseClock.class);

    private final Clock wall;
    private final LongSupplier nanoTime;
    private final Duration maxSkew;
    private final LeaseTime time;
    private final LockListener listener;
    private volatile IntervalClock serverTime;
    private final AtomicBoolean warned = new AtomicBoolean();

    WallLeaseClock(Clock wall, LongSupplier nanoTime, Duration maxSkew, LeaseTime time, LockListener listener) {
        this.wall = wall;
        this.nanoTime = nanoTime;
        this.maxSkew = maxSkew;
        this.time = time;
        this.listener = listener;
        this.serverTime = IntervalClock.empty(maxSkew);
    }

    @Override
    public ClockReading now() {
        long nanos = nanos();
        Instant instant = wall.instant();
        long millis = instant.toEpochMilli();
        long half = (maxSkew.toNanos() / 2 + 999_999) / 1_000_000;
        long store = serverTime.latestMillis(nanos, instant);
        return new ClockReading(nanos, millis, millis - half, millis + half, time, store);
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
        if (date == null) {
            return;
        }
        Range range;
        synchronized (this) {
            serverTime = received.addTo(serverTime, sent, date);
            range = serverTime.rangeAt(received.nanos(), received.wall());
        }
        if (range == null) {
            return;
        }
        Duration skew = range.wallSkew();
        listener.onClockSample(skew, Duration.ofNanos(range.width()));
        boolean outside = range.wallOffset() < range.low() || range.wallOffset() > range.high();
        if (outside && time == LeaseTime.SYSTEM && warned.compareAndSet(false, true)) {
            LOG.warn(
                    "This machine's wall clock is off the store's time by about {}, more than the allowed skew of {}"
                            + " (in Spring, dynamolock.lease.max-clock-skew): set the clock, or use the store's time for"
                            + " leases",
                    Durations.shown(skew),
                    Durations.shown(maxSkew));
        }
    }

    @Override
    public boolean isReady() {
        return true;
    }
}
