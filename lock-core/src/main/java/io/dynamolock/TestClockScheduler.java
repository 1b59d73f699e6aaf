/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Tasks whose alarms ring when their clock gets there, also if it is moved there, and that know when what they started is
 * done. Used by a {@link TestClock}; everything else is left to the tasks behind it.
 */
final class TestClockScheduler implements Scheduler {

    /** What the engine does itself takes no such time on a store in memory. */
    private static final Duration OWN_PATIENCE = Duration.ofSeconds(10);

    private final Scheduler scheduler;
    private final LongSupplier now;
    private final Consumer<TestClockScheduler> onClose;
    private final Set<Alarm> alarms = ConcurrentHashMap.newKeySet();
    private final AtomicInteger working = new AtomicInteger();
    private final AtomicInteger telling = new AtomicInteger();
    private volatile @Nullable Parker settling;

    TestClockScheduler(Scheduler scheduler, LongSupplier now, Consumer<TestClockScheduler> onClose) {
        this.scheduler = scheduler;
        this.now = now;
        this.onClose = onClose;
    }

    /** When the alarms ring that do so until the end, in no order. */
    Stream<Long> alarmsUntil(long end) {
        return alarms.stream().map(Alarm::nanos).filter(nanos -> nanos - end <= 0);
    }

    /** Rings the alarms that are due, in order. */
    void ring(long now) {
        alarms.stream()
                .filter(alarm -> alarm.nanos - now <= 0)
                .sorted(Comparator.comparingLong(alarm -> alarm.nanos - now))
                .forEach(Alarm::ring);
    }

    /** Sets the alarms by the clock as it is now. */
    void rearm() {
        alarms.forEach(Alarm::arm);
    }

    /** Waits until what was started is done, and, so long at most, until what was told has been heard; tells whether it has. */
    boolean settle(Duration patience) {
        Parker pause = scheduler.parker();
        settling = pause;
        boolean interrupted = pause.awaitUninterruptibly(() -> working.get() == 0, OWN_PATIENCE);
        interrupted |= pause.awaitUninterruptibly(() -> working.get() == 0 && telling.get() == 0, patience);
        settling = null;
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return telling.get() == 0;
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
        scheduler.renew(deadlineNanos, counted(working, action));
    }

    @Override
    public void retryRenewal(long deadlineNanos, Runnable action) {
        scheduler.retryRenewal(deadlineNanos, counted(working, action));
    }

    @Override
    public boolean submit(Rank rank, Runnable action) {
        boolean taken = scheduler.submit(rank, counted(working, action));
        if (!taken) {
            ended(working);
        }
        return taken;
    }

    @Override
    public boolean callBack(Runnable action) {
        boolean taken = scheduler.callBack(counted(telling, action));
        if (!taken) {
            ended(telling);
        }
        return taken;
    }

    private Runnable counted(AtomicInteger underWay, Runnable action) {
        underWay.incrementAndGet();
        return () -> {
            try {
                action.run();
            } finally {
                ended(underWay);
            }
        };
    }

    private void ended(AtomicInteger underWay) {
        underWay.decrementAndGet();
        Parker pause = settling;
        if (pause != null) {
            pause.wake();
        }
    }

    @Override
    public void limit(int concurrencyLimit) {
        scheduler.limit(concurrencyLimit);
    }

    @Override
    public void complete(Runnable action) {
        scheduler.complete(counted(telling, action));
    }

    @Override
    public boolean isOwnThread() {
        return scheduler.isOwnThread();
    }

    @Override
    public Parker parker() {
        return new MovedPause(scheduler.parker(), false);
    }

    @Override
    public Parker callersParker() {
        return new MovedPause(scheduler.parker(), true);
    }

    @Override
    public void close(Duration patience) {
        onClose.accept(this);
        alarms.clear();
        scheduler.close(patience);
    }

    /** A wait that is over when its clock gets there; a caller who goes on is at work until it waits again, or ends. */
    private final class MovedPause implements Parker {

        private final Parker pause;
        private final boolean counts;
        private boolean atWork;
        private boolean ended;

        MovedPause(Parker pause, boolean counts) {
            this.pause = pause;
            this.counts = counts;
        }

        @Override
        public void wake() {
            resume();
            pause.wake();
        }

        /** A wake that comes after the end counts for nothing: nobody would take it back. */
        private synchronized void resume() {
            if (counts && !atWork && !ended) {
                atWork = true;
                working.incrementAndGet();
            }
        }

        private synchronized void rest() {
            if (atWork) {
                atWork = false;
                ended(working);
            }
        }

        @Override
        public void await(long nanos) throws InterruptedException {
            rest();
            Scheduled alarm = schedule(now.getAsLong() + Math.max(0, nanos), this::wake);
            try {
                pause.await(nanos);
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
        private volatile Scheduled itself = () -> {};

        Alarm(long nanos, Runnable action) {
            this.nanos = nanos;
            this.action = action;
        }

        long nanos() {
            return nanos;
        }

        void arm() {
            itself.cancel();
            itself = scheduler.schedule(nanos, this::ring);
        }

        void ring() {
            if (alarms.remove(this)) {
                counted(working, action).run();
            }
        }

        @Override
        public void cancel() {
            alarms.remove(this);
            itself.cancel();
        }
    }
}
