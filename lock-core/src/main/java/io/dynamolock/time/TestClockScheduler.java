/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs scheduled tasks when the time of a {@link TestClock} reaches them, also by an advance, and tracks when the work
 * they started is done. Delegates everything else to another scheduler.
 */
public final class TestClockScheduler implements Scheduler {

    /** Limit for the engine's own work, which on an in-memory store never takes that long. */
    private static final Duration ENGINE_TIMEOUT = Duration.ofSeconds(10);

    private final Scheduler scheduler;
    private final LongSupplier now;
    private final Consumer<TestClockScheduler> onClose;
    private final Set<Alarm> alarms = ConcurrentHashMap.newKeySet();
    private final AtomicInteger engineTasks = new AtomicInteger();
    private final AtomicInteger callbackTasks = new AtomicInteger();
    private final AtomicLong rung = new AtomicLong();
    private volatile @Nullable Parker settleParker;
    private volatile boolean stuck;

    /** Returns a scheduler whose tasks move with the clock, until it is closed. */
    public static Scheduler following(TestClock clock, Scheduler scheduler) {
        return clock.schedulerFor(scheduler);
    }

    /** Returns the monotonic clock that moves with the clock. */
    public static LongSupplier nanoTime(TestClock clock) {
        return clock::nanos;
    }

    TestClockScheduler(Scheduler scheduler, LongSupplier now, Consumer<TestClockScheduler> onClose) {
        this.scheduler = scheduler;
        this.now = now;
        this.onClose = onClose;
    }

    /** Returns the times of the alarms that ring until the end, in no order. */
    Stream<Long> alarmsUntil(long end) {
        return alarms.stream().map(Alarm::nanos).filter(nanos -> nanos - end <= 0);
    }

    /** Returns how many alarms have rung: one that is no longer set has rung, and counts as work until that is done. */
    long rung() {
        return rung.get();
    }

    /** Rings the alarms that are due, in order. */
    void ring(long now) {
        alarms.stream()
                .filter(alarm -> alarm.nanos - now <= 0)
                .sorted(Comparator.comparingLong(alarm -> alarm.nanos - now))
                .forEach(Alarm::ring);
    }

    /** Sets the alarms by the current time of the clock. */
    void rearm() {
        alarms.forEach(Alarm::arm);
    }

    /**
     * Waits until the started work is done and, for at most the timeout, until all callbacks have returned; returns
     * whether they have.
     */
    boolean settle(Duration timeout) {
        Parker parker = scheduler.parker();
        settleParker = parker;
        long latest = parker.nanos() + Durations.nanos(ENGINE_TIMEOUT);
        boolean interrupted = parker.awaitUninterruptibly(() -> engineTasks.get() == 0, ENGINE_TIMEOUT);
        stuck = parker.nanos() - latest >= 0;
        interrupted |= parker.awaitUninterruptibly(() -> engineTasks.get() == 0 && callbackTasks.get() == 0, timeout);
        settleParker = null;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return callbackTasks.get() == 0;
    }

    /** Whether the started work was not done in time when this was to settle last. */
    boolean isStuck() {
        return stuck;
    }

    @Override
    public Scheduled schedule(long nanos, Runnable action) {
        Alarm alarm = new Alarm(nanos, action);
        alarms.add(alarm);
        alarm.arm();
        return alarm;
    }

    @Override
    public void renew(long deadlineNanos, Runnable action) {
        scheduler.renew(deadlineNanos, counted(engineTasks, action));
    }

    @Override
    public void retryRenewal(long deadlineNanos, Runnable action) {
        scheduler.retryRenewal(deadlineNanos, counted(engineTasks, action));
    }

    @Override
    public boolean submit(Rank rank, Runnable action) {
        boolean accepted = scheduler.submit(rank, counted(engineTasks, action));
        if (!accepted) {
            ended(engineTasks);
        }
        return accepted;
    }

    @Override
    public boolean callBack(Runnable action) {
        boolean accepted = scheduler.callBack(counted(callbackTasks, action));
        if (!accepted) {
            ended(callbackTasks);
        }
        return accepted;
    }

    private Runnable counted(AtomicInteger count, Runnable action) {
        count.incrementAndGet();
        return () -> {
            try {
                action.run();
            } finally {
                ended(count);
            }
        };
    }

    private void ended(AtomicInteger count) {
        count.decrementAndGet();
        Parker parker = settleParker;
        if (parker != null) {
            parker.wake();
        }
    }

    @Override
    public void limit(int concurrencyLimit) {
        scheduler.limit(concurrencyLimit);
    }

    @Override
    public void complete(Runnable action) {
        scheduler.complete(counted(callbackTasks, action));
    }

    @Override
    public boolean isOwnThread() {
        return scheduler.isOwnThread();
    }

    @Override
    public boolean hasThisThread() {
        return scheduler.hasThisThread();
    }

    @Override
    public Parker parker() {
        return new TestClockParker(scheduler.parker(), false);
    }

    @Override
    public Parker callersParker() {
        return new TestClockParker(scheduler.parker(), true);
    }

    @Override
    public void close(Duration timeout) {
        onClose.accept(this);
        alarms.clear();
        scheduler.close(timeout);
    }

    /**
     * A wait that ends when its clock gets there. A caller that continues counts as work until it waits again, or ends.
     */
    private final class TestClockParker implements Parker {

        private final Parker parker;
        private final boolean countsAsWork;
        private boolean atWork;
        private boolean ended;

        TestClockParker(Parker parker, boolean countsAsWork) {
            this.parker = parker;
            this.countsAsWork = countsAsWork;
        }

        @Override
        public void wake() {
            resume();
            parker.wake();
        }

        /** Counts the caller as work. A wake-up after the end does not count: nothing would undo it. */
        private synchronized void resume() {
            if (countsAsWork && !atWork && !ended) {
                atWork = true;
                engineTasks.incrementAndGet();
            }
        }

        private synchronized void rest() {
            if (atWork) {
                atWork = false;
                ended(engineTasks);
            }
        }

        @Override
        public void await(long nanos) throws InterruptedException {
            rest();
            Scheduled alarm = schedule(now.getAsLong() + Math.max(0, nanos), this::wake);
            try {
                parker.await(nanos);
            } finally {
                alarm.cancel();
            }
        }

        @Override
        public synchronized void end() {
            ended = true;
            rest();
        }

        @Override
        public long nanos() {
            return now.getAsLong();
        }
    }

    /** Rings once: by itself in real time, or earlier when the clock is moved. */
    private final class Alarm implements Scheduled {

        private final long nanos;
        private final Runnable action;
        private volatile Scheduled realTimer = Scheduled.NONE;

        Alarm(long nanos, Runnable action) {
            this.nanos = nanos;
            this.action = action;
        }

        long nanos() {
            return nanos;
        }

        void arm() {
            realTimer.cancel();
            realTimer = scheduler.schedule(nanos, this::ring);
        }

        void ring() {
            Runnable task = counted(engineTasks, action);
            rung.incrementAndGet();
            if (alarms.remove(this)) {
                task.run();
            } else {
                ended(engineTasks);
            }
        }

        @Override
        public void cancel() {
            alarms.remove(this);
            realTimer.cancel();
        }
    }
}
