/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LeaseTime;
import io.dynamolock.LockManagerBuilder;
import io.dynamolock.UtcClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** A wall clock and a monotonic clock that only tests advance. Threads still wait in real time. */
final class FrozenTime extends UtcClock {

    private final AtomicLong nanos = new AtomicLong(1_000_000_000_000L);
    private final Instant origin;

    /** Starts slightly after the real time, so that written times are not in the past. */
    FrozenTime() {
        this(Instant.now().plusSeconds(1));
    }

    private FrozenTime(Instant start) {
        this.origin = start.minusNanos(nanos.get());
    }

    /** Returns the clocks of another process, which are behind these. */
    FrozenTime behindBy(Duration difference) {
        return new FrozenTime(instant().minus(difference));
    }

    /** Makes a manager use these clocks only. */
    void rule(LockManagerBuilder settings) {
        settings.time(LeaseTime.SYSTEM).clock(this).nanoTime(nanos::get);
    }

    void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Override
    public Instant instant() {
        return origin.plusNanos(nanos.get());
    }
}
