/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Runs the engine's work on the test's thread, at the moments it asked for, while the test lets time pass. */
final class ManualScheduler implements Scheduler {

    /** What is due at a moment, in the order of asking. */
    private record Alarm(long nanos, long number, Runnable action) {}

    private final ManualTime time;
    private final NavigableSet<Alarm> alarms =
            new TreeSet<>(Comparator.comparingLong(Alarm::nanos).thenComparingLong(Alarm::number));
    private long asked;
    private final Deque<Runnable> ready = new ArrayDeque<>();
    private int limit;
    private boolean running;
    private boolean closed;
    private boolean threadsAreBusy;
    private boolean retriesWait;
    private boolean callbacksWait;
    private boolean workWaits;
    private int workWaiting;
    private boolean nextBeatFails;
    private boolean nextAlarmFails;
    private boolean nextTellFails;
    private boolean nextLimitFails;
    private @Nullable Rank noThreadsFor;

    ManualScheduler(ManualTime time) {
        this.time = time;
    }

    /** Lets time pass, and runs what comes due meanwhile, in order. */
    void pass(Duration duration) {
        long end = time.nanos() + duration.toNanos();
        run();
        while (true) {
            Alarm next = alarms.isEmpty() ? null : alarms.first();
            if (next == null || next.nanos() - end > 0) {
                break;
            }
            alarms.remove(next);
            time.pass(Duration.ofNanos(Math.max(0, next.nanos() - time.nanos())));
            ready.add(next.action());
            run();
        }
        time.pass(Duration.ofNanos(Math.max(0, end - time.nanos())));
    }

    /** The process stands still: time passes, nothing runs. */
    void freeze(Duration duration) {
        time.pass(duration);
    }

    /** No beat finds a thread from now on. */
    void keepThreadsBusy() {
        threadsAreBusy = true;
    }

    /** No retry finds a thread from now on. */
    void keepRetriesWaiting() {
        retriesWait = true;
    }

    /** No callback finds a thread from now on. */
    void keepCallbacksWaiting() {
        callbacksWait = true;
    }

    /** No work finds a thread from now on. */
    void keepWorkWaiting() {
        workWaits = true;
    }

    /** How much work has not found a thread. */
    int workWaiting() {
        return workWaiting;
    }

    /** The next beat needs a thread that cannot be started. */
    void failNextBeat() {
        nextBeatFails = true;
    }

    /** The next alarm needs a thread that cannot be started. */
    void failNextAlarm() {
        nextAlarmFails = true;
    }

    /** The next callback needs a thread that cannot be started. */
    void failNextTell() {
        nextTellFails = true;
    }

    /** The next change of how much may run at once needs a thread that cannot be started. */
    void failNextLimit() {
        nextLimitFails = true;
    }

    /** Work of such a rank needs threads that cannot be started, from now on; null if all work finds them again. */
    void failWork(@Nullable Rank rank) {
        noThreadsFor = rank;
    }

    private static void startNoThread() {
        throw new OutOfMemoryError("unable to create native thread");
    }

    int scheduled() {
        return alarms.size();
    }

    int limit() {
        return limit;
    }

    boolean isClosed() {
        return closed;
    }

    private void run() {
        if (running) {
            return;
        }
        running = true;
        try {
            while (!ready.isEmpty()) {
                ready.remove().run();
            }
        } finally {
            running = false;
        }
    }

    @Override
    public Scheduled schedule(long nanos, Runnable action) {
        if (nextAlarmFails) {
            nextAlarmFails = false;
            startNoThread();
        }
        Alarm alarm = new Alarm(nanos, asked++, action);
        alarms.add(alarm);
        return () -> alarms.remove(alarm);
    }

    @Override
    public void renew(long deadlineNanos, Runnable action) {
        if (nextBeatFails) {
            nextBeatFails = false;
            startNoThread();
        }
        if (!threadsAreBusy) {
            ready.add(action);
        }
    }

    @Override
    public void retryRenewal(long deadlineNanos, Runnable action) {
        if (!retriesWait) {
            renew(deadlineNanos, action);
        }
    }

    @Override
    public boolean submit(Rank rank, Runnable action) {
        if (rank == noThreadsFor) {
            startNoThread();
        }
        if (closed) {
            return false;
        }
        if (workWaits) {
            workWaiting++;
            return true;
        }
        ready.add(action);
        run();
        return true;
    }

    @Override
    public void limit(int concurrencyLimit) {
        if (nextLimitFails) {
            nextLimitFails = false;
            startNoThread();
        }
        limit = concurrencyLimit; // one thread runs everything
    }

    @Override
    public boolean callBack(Runnable action) {
        if (nextTellFails) {
            nextTellFails = false;
            startNoThread();
        }
        if (!callbacksWait) {
            ready.add(action);
            run();
        }
        return true;
    }

    @Override
    public void complete(Runnable action) {
        ready.add(action);
        run();
    }

    @Override
    public boolean isOwnThread() {
        return false;
    }

    @Override
    public Parker parker() {
        return new ThreadParker();
    }

    @Override
    public void close(Duration patience) {
        closed = true;
        alarms.clear();
    }
}
