/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Parker;
import io.dynamolock.time.Scheduler;
import io.dynamolock.time.ThreadParker;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Runs scheduled tasks on the test thread while the test advances time. */
final class ManualScheduler implements Scheduler {

    /** A task and its due time; ties run in submission order. */
    private record Alarm(long nanos, long number, Runnable action) {}

    private static final int MOST = 100_000;

    private final ManualTime time;
    private final NavigableSet<Alarm> alarms =
            new TreeSet<>(Comparator.comparingLong(Alarm::nanos).thenComparingLong(Alarm::number));
    private long sequence;
    private final Deque<Runnable> ready = new ArrayDeque<>();
    private int limit;
    private boolean running;
    private boolean closed;
    private boolean threadsAreBusy;
    private boolean retriesWait;
    private boolean workWaits;
    private int workWaiting;
    private boolean nextRenewalFails;
    private boolean nextAlarmFails;
    private Runnable duringNextAlarm = () -> {};
    private boolean nextCallbackFails;
    private boolean nextLimitFails;
    private @Nullable Rank noThreadsFor;

    ManualScheduler(ManualTime time) {
        this.time = time;
    }

    /** Advances time and runs due tasks in order. Fails if they never end, as with a fault that repeats one at once. */
    void pass(Duration duration) {
        int runs = 0;
        long end = time.nanos() + duration.toNanos();
        run();
        while (true) {
            Alarm next = alarms.isEmpty() ? null : alarms.first();
            if (next == null || next.nanos() - end > 0) {
                break;
            }
            alarms.remove(next);
            if (++runs > MOST) {
                throw new IllegalStateException("No test runs so many tasks: something repeats one endlessly");
            }
            time.pass(Duration.ofNanos(Math.max(0, next.nanos() - time.nanos())));
            ready.add(next.action());
            run();
        }
        time.pass(Duration.ofNanos(Math.max(0, end - time.nanos())));
    }

    /** Pauses the process: time advances, nothing runs. */
    void freeze(Duration duration) {
        time.pass(duration);
    }

    /** Advances time during a task that waits: others go on, as on other threads. */
    void passDuringTask(Duration duration) {
        boolean before = running;
        running = false;
        try {
            pass(duration);
        } finally {
            running = before;
        }
    }

    /** Lets no further renewal find a thread. */
    void keepThreadsBusy() {
        threadsAreBusy = true;
    }

    /** Lets no further retry find a thread. */
    void keepRetriesWaiting() {
        retriesWait = true;
    }

    /** Lets no further work find a thread. */
    void keepWorkWaiting() {
        workWaits = true;
    }

    /** Returns the number of queued tasks without a thread. */
    int workWaiting() {
        return workWaiting;
    }

    /** Makes the next renewal fail to start a thread. */
    void failNextRenewal() {
        nextRenewalFails = true;
    }

    /** Makes the next alarm fail to start a thread. */
    void failNextAlarm() {
        nextAlarmFails = true;
    }

    /** Runs an action while the next alarm is set, as on another thread. */
    void duringNextAlarm(Runnable action) {
        duringNextAlarm = action;
    }

    /** Makes the next callback fail to start a thread. */
    void failNextCallback() {
        nextCallbackFails = true;
    }

    /** Makes the next change of the concurrency limit fail to start a thread. */
    void failNextLimit() {
        nextLimitFails = true;
    }

    /** Makes all work of a rank fail to start a thread; null ends this. */
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
        Alarm alarm = new Alarm(nanos, sequence++, action);
        alarms.add(alarm);
        Runnable meanwhile = duringNextAlarm;
        duringNextAlarm = () -> {};
        meanwhile.run();
        return () -> alarms.remove(alarm);
    }

    @Override
    public void renew(long deadlineNanos, Runnable action) {
        if (nextRenewalFails) {
            nextRenewalFails = false;
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
        if (nextCallbackFails) {
            nextCallbackFails = false;
            startNoThread();
        }
        ready.add(action);
        run();
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
    public void close(Duration timeout) {
        closed = true;
        alarms.clear();
    }
}
