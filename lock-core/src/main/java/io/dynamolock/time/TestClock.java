/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The clock of a test: it runs in real time, and jumps forward when the test moves it. The managers that
 * {@linkplain io.dynamolock.LockManagerBuilder#testClock(TestClock) use it} move with it: leases end, renewals are sent
 * and waits time out when the clock gets there, not earlier.
 *
 * <p>It never goes back, because fencing tokens must not. Safe for use by many threads; a listener or callback of a
 * manager must not move it.
 *
 * @since 0.1
 */
public final class TestClock extends Clock {

    /**
     * How long callbacks and listeners of a manager may take; if one takes longer, the rest of the same move does not
     * wait for callbacks.
     */
    private static final Duration SETTLE_TIMEOUT = Duration.ofSeconds(2);

    private final Clock base;
    private final AtomicLong offsetNanos;
    private final List<TestClockScheduler> followers;
    private final ReentrantLock moving;
    private Duration settleTimeout = SETTLE_TIMEOUT;

    /** Creates a clock that shows the system time until it is moved. */
    public TestClock() {
        this(Clock.systemUTC(), new AtomicLong(), new CopyOnWriteArrayList<>(), new ReentrantLock());
    }

    private TestClock(Clock base, AtomicLong offsetNanos, List<TestClockScheduler> followers, ReentrantLock moving) {
        this.base = base;
        this.offsetNanos = offsetNanos;
        this.followers = followers;
        this.moving = moving;
    }

    /**
     * Lets time pass for everything that uses this clock. All work that becomes due in the managers meanwhile is done,
     * in order, when this method returns: a lease that is renewed is still held, however long the time. Callbacks and
     * listeners, for example of a loss, have been called. A request that hangs is awaited for ten seconds at each step.
     *
     * @param time zero or more
     */
    public void advance(Duration time) {
        move(time, end -> {
            for (Long next = nextAlarm(end); next != null; next = nextAlarm(end)) {
                advanceTo(next);
            }
            advanceTo(end);
        });
    }

    /**
     * Lets time pass while the managers are paused, like a process in a long pause: nothing is renewed, and work that
     * became due meanwhile is done late.
     *
     * @param time zero or more
     */
    public void pauseProcess(Duration time) {
        move(time, this::advanceTo);
    }

    private void move(Duration time, LongConsumer toEnd) {
        Durations.requireNotNegative("time", time);
        moving.lock();
        try {
            settleTimeout = SETTLE_TIMEOUT;
            toEnd.accept(nanos() + Durations.nanos(time));
            settle();
            followers.forEach(TestClockScheduler::rearm);
        } finally {
            moving.unlock();
        }
    }

    /** Returns the next alarm while nothing is at work that may set an earlier one, unless work hangs. */
    private @Nullable Long nextAlarm(long end) {
        long rungBefore;
        Long next;
        do {
            rungBefore = rung();
            settle();
            next = earliestAlarm(end);
        } while (rung() != rungBefore && !isStuck()); // by itself in real time
        return next;
    }

    private boolean isStuck() {
        return followers.stream().anyMatch(TestClockScheduler::isStuck);
    }

    private long rung() {
        return followers.stream().mapToLong(TestClockScheduler::rung).sum();
    }

    private @Nullable Long earliestAlarm(long end) {
        return followers.stream()
                .flatMap(scheduler -> scheduler.alarmsUntil(end))
                .reduce((one, other) -> one - other <= 0 ? one : other)
                .orElse(null);
    }

    private void advanceTo(long nanos) {
        offsetNanos.addAndGet(Math.max(0, nanos - nanos()));
        followers.forEach(scheduler -> scheduler.ring(nanos()));
    }

    private void settle() {
        for (TestClockScheduler scheduler : followers) {
            settleTimeout = scheduler.settle(settleTimeout) ? settleTimeout : Duration.ZERO;
        }
    }

    /** Returns the time of the monotonic clock. */
    long nanos() {
        return ThreadParker.nanoTime() + offsetNanos.get();
    }

    /** Returns a scheduler whose tasks move with this clock, until it is closed. */
    TestClockScheduler schedulerFor(Scheduler scheduler) {
        TestClockScheduler follower = new TestClockScheduler(scheduler, this::nanos, followers::remove);
        followers.add(follower);
        return follower;
    }

    @Override
    public Instant instant() {
        return base.instant().plusNanos(offsetNanos.get());
    }

    @Override
    public ZoneId getZone() {
        return base.getZone();
    }

    /** Returns a clock with another time zone that moves with this one. */
    @Override
    public Clock withZone(ZoneId zone) {
        return new TestClock(base.withZone(zone), offsetNanos, followers, moving);
    }
}
