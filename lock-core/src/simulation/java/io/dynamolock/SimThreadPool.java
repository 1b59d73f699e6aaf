/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Parker;
import io.dynamolock.time.PrioritizedTask;
import io.dynamolock.time.RetryThrottle;
import io.dynamolock.time.Scheduler;
import io.dynamolock.time.ThreadPoolScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The threads of a manager: timers never block, all other work may, with the concurrency of {@link ThreadPoolScheduler}. */
final class SimThreadPool implements Scheduler {

    private static final int RENEWALS = 24;
    static final int WORKERS = 8;
    private static final int CALLBACKS = 4;

    private final SimScheduler scheduler;
    private final SimProcess process;
    private final SimClocks clocks;
    private final SimPool renewals;
    private final RetryThrottle throttle = new RetryThrottle(RENEWALS, this::submitRenewal, this::submitRenewal);
    private final SimPool workers;
    private final SimPool callbacks;
    private final int workerThreads;
    private final List<Parker> closing = new ArrayList<>();
    private boolean closed;

    SimThreadPool(SimProcess process, SimClocks clocks, SplittableRandom chance, int workerThreads) {
        this.scheduler = process.scheduler;
        this.process = process;
        this.clocks = clocks;
        this.workerThreads = workerThreads;
        this.renewals = new SimPool(process, chance.split(), RENEWALS, this::wakeIfIdle);
        this.workers = new SimPool(process, chance.split(), workerThreads, this::wakeIfIdle);
        this.callbacks = new SimPool(process, chance.split(), CALLBACKS, this::wakeIfIdle);
    }

    @Override
    public Scheduled schedule(long nanos, Runnable action) {
        Alarm alarm = new Alarm(nanos, action);
        alarm.set();
        return alarm;
    }

    private final class Alarm implements Scheduled {

        private final long nanos;
        private final Runnable action;
        private boolean cancelled;

        Alarm(long nanos, Runnable action) {
            this.nanos = nanos;
            this.action = action;
        }

        void set() {
            scheduler.schedule(clocks.momentOf(nanos), process, this::ring);
        }

        private void ring() {
            if (cancelled || closed) {
                return;
            }
            if (clocks.monotonic() - nanos < 0) {
                set();
            } else {
                action.run();
            }
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    @Override
    public void renew(long deadlineNanos, Runnable action) {
        throttle.submitFirst(deadlineNanos, action);
    }

    @Override
    public void retryRenewal(long deadlineNanos, Runnable action) {
        throttle.submitRetry(deadlineNanos, action);
    }

    @Override
    public boolean submit(Rank rank, Runnable action) {
        return submit(workers, rank.order(), action);
    }

    /** Runs on a thread of the application. */
    @Override
    public void complete(Runnable action) {
        scheduler.start(scheduler.now(), process, action);
    }

    @Override
    public boolean isOwnThread() {
        SimThread me = scheduler.current();
        return renewals.runs(me) || workers.runs(me);
    }

    @Override
    public boolean callBack(Runnable action) {
        return submit(callbacks, 0, action);
    }

    private void submitRenewal(PrioritizedTask renewal) {
        submit(renewals, renewal.deadlineNanos(), renewal);
    }

    private boolean submit(SimPool pool, long deadline, Runnable action) {
        if (!closed) {
            pool.submit(deadline, action);
        }
        return !closed;
    }

    /** Unlimited threads: delays by missing threads are covered by delayed messages. */
    @Override
    public void limit(int concurrencyLimit) {
        renewals.limit(Math.min(concurrencyLimit, RENEWALS));
        throttle.resize(Math.min(concurrencyLimit, RENEWALS));
        workers.limit(Math.min(concurrencyLimit, workerThreads));
    }

    @Override
    public Parker parker() {
        return new SimPause(scheduler, clocks);
    }

    /** How many threads undos may use at once. */
    int undoThreads() {
        return Math.min(WORKERS / 2, workerThreads);
    }

    /** Whether no thread is free for an asynchronous caller. */
    boolean isExhausted() {
        return workers.isExhausted();
    }

    private boolean isIdle() {
        return renewals.isIdle() && workers.isIdle() && callbacks.isIdle();
    }

    private void wakeIfIdle() {
        if (isIdle()) {
            closing.forEach(Parker::wake);
        }
    }

    @Override
    public void close(Duration timeout) {
        closed = true;
        throttle.close();
        renewals.clear();
        Parker pause = parker();
        closing.add(pause);
        if (pause.awaitUninterruptibly(this::isIdle, timeout)) {
            Thread.currentThread().interrupt();
        }
        renewals.interrupt();
        workers.interrupt();
        callbacks.interrupt();
    }
}
