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
import org.jspecify.annotations.Nullable;

/**
 * Tasks whose alarms ring when their clock gets there, also if it is moved there, and that know when what they started is
 * done. Used by a {@link MovableClock}; everything else is left to the tasks behind it.
 */
final class MovedTasks implements Tasks {

    private final Tasks tasks;
    private final Consumer<MovedTasks> onClose;
    private final Set<Alarm> alarms = ConcurrentHashMap.newKeySet();
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile @Nullable Pause settling;

    MovedTasks(Tasks tasks, Consumer<MovedTasks> onClose) {
        this.tasks = tasks;
        this.onClose = onClose;
    }

    /** When the next alarm rings; null if none does until the end. */
    @Nullable
    Long nextAlarm(long end) {
        return alarms.stream()
                .map(Alarm::nanos)
                .filter(nanos -> nanos - end <= 0)
                .reduce((one, other) -> one - other <= 0 ? one : other)
                .orElse(null);
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

    /** Waits until everything that was started is done, or for so long. */
    void settle(Duration patience) {
        Pause pause = tasks.pause();
        settling = pause;
        if (pause.uninterruptibly(() -> underWay.get() == 0, patience)) {
            Thread.currentThread().interrupt();
        }
        settling = null;
    }

    @Override
    public Scheduled at(long nanos, Runnable action) {
        Alarm alarm = new Alarm(nanos, action);
        alarms.add(alarm);
        alarm.arm();
        return alarm;
    }

    @Override
    public void beat(long deadlineNanos, Runnable action) {
        tasks.beat(deadlineNanos, counted(action));
    }

    @Override
    public boolean work(Runnable action) {
        boolean taken = tasks.work(counted(action));
        if (!taken) {
            ended();
        }
        return taken;
    }

    @Override
    public void tell(Runnable action) {
        tasks.tell(counted(action));
    }

    private Runnable counted(Runnable action) {
        underWay.incrementAndGet();
        return () -> {
            try {
                action.run();
            } finally {
                ended();
            }
        };
    }

    private void ended() {
        underWay.decrementAndGet();
        Pause pause = settling;
        if (pause != null) {
            pause.wake();
        }
    }

    @Override
    public void limit(int atOnce) {
        tasks.limit(atOnce);
    }

    @Override
    public Pause pause() {
        return tasks.pause();
    }

    @Override
    public void close(Duration patience) {
        onClose.accept(this);
        alarms.clear();
        tasks.close(patience);
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
            itself = tasks.at(nanos, this::ring);
        }

        void ring() {
            if (alarms.remove(this)) {
                counted(action).run();
            }
        }

        @Override
        public void cancel() {
            alarms.remove(this);
            itself.cancel();
        }
    }
}
