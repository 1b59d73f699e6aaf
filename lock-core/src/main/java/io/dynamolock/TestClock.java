/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

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
 * The time of a test: it goes on by itself, and forward when the test moves it. The managers that {@linkplain
 * LockManager.Builder#testClock(MovableClock) have it} move with it: leases end, renewals are sent and waits are over when
 * the clock gets there, not earlier.
 *
 * <p>It never goes back, because fencing tokens must not. Safe for use by many threads; not to be moved by a listener or
 * callback of a manager.
 *
 * @since 0.1
 */
public final class TestClock extends Clock {

    /** How long what a manager tells others may take; what takes longer is not waited for again in the same move. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final Clock base;
    private final AtomicLong moved;
    private final List<TestClockScheduler> followers;
    private final ReentrantLock moving;
    private Duration patience = PATIENCE;

    /** Creates a clock that has the system's time until it is moved. */
    public TestClock() {
        this(Clock.systemUTC(), new AtomicLong(), new CopyOnWriteArrayList<>(), new ReentrantLock());
    }

    private TestClock(Clock base, AtomicLong moved, List<TestClockScheduler> followers, ReentrantLock moving) {
        this.base = base;
        this.moved = moved;
        this.followers = followers;
        this.moving = moving;
    }

    /**
     * Lets time pass for everybody who has this clock. What the managers do meanwhile is done, in order, when this returns: a
     * lease that is renewed is still held however long the time. What is told to others, such as a loss, has been told.
     *
     * @param time zero or more
     */
    public void advance(Duration time) {
        move(time, end -> {
            settle();
            for (Long next = nextAlarm(end); next != null; next = nextAlarm(end)) {
                reach(next);
            }
            reach(end);
        });
    }

    /**
     * Lets time pass while the managers stand still, as a process does in a long pause: nothing is renewed, and what came due
     * meanwhile is done late.
     *
     * @param time zero or more
     */
    public void pauseProcess(Duration time) {
        move(time, this::reach);
    }

    private void move(Duration time, LongConsumer toEnd) {
        Durations.requireNotNegative("time", time);
        moving.lock();
        try {
            patience = PATIENCE;
            toEnd.accept(nanos() + Durations.nanos(time));
            followers.forEach(TestClockScheduler::rearm);
        } finally {
            moving.unlock();
        }
    }

    private @Nullable Long nextAlarm(long end) {
        return followers.stream()
                .flatMap(scheduler -> scheduler.alarmsUntil(end))
                .reduce((one, other) -> one - other <= 0 ? one : other)
                .orElse(null);
    }

    private void reach(long nanos) {
        moved.addAndGet(Math.max(0, nanos - nanos()));
        followers.forEach(scheduler -> scheduler.ring(nanos()));
        settle();
    }

    private void settle() {
        for (TestClockScheduler scheduler : followers) {
            patience = scheduler.settle(patience) ? patience : Duration.ZERO;
        }
    }

    /** The monotonic clock. */
    long nanos() {
        return ThreadParker.nanoTime() + moved.get();
    }

    /** Makes a manager's tasks move with this clock, until they are closed. */
    Scheduler movedWith(Scheduler scheduler) {
        TestClockScheduler follower = new TestClockScheduler(scheduler, this::nanos, followers::remove);
        followers.add(follower);
        return follower;
    }

    @Override
    public Instant instant() {
        return base.instant().plusNanos(moved.get());
    }

    @Override
    public ZoneId getZone() {
        return base.getZone();
    }

    /** Returns a clock of another zone that moves with this one. */
    @Override
    public Clock withZone(ZoneId zone) {
        return new TestClock(base.withZone(zone), moved, followers, moving);
    }
}
