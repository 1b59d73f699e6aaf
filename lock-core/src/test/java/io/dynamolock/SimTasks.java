/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A manager's threads, as many as it wants: timers are quick, all other work may wait. */
final class SimTasks implements Tasks {

    private static final long HAND_OVER_NANOS = 20_000;

    private final SimScheduler scheduler;
    private final SimProcess process;
    private final SimClocks clocks;
    private final List<SimThread> running = new ArrayList<>();
    private final List<Pause> closing = new ArrayList<>();
    private boolean closed;
    private int queued;

    SimTasks(SimScheduler scheduler, SimProcess process, SimClocks clocks) {
        this.scheduler = scheduler;
        this.process = process;
        this.clocks = clocks;
    }

    @Override
    public Scheduled at(long nanos, Runnable action) {
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
            scheduler.at(clocks.momentOf(nanos), process, this::ring);
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
    public void beat(long deadlineNanos, Runnable action) {
        if (!closed) {
            start(() -> {
                if (!closed) {
                    action.run();
                }
            });
        }
    }

    @Override
    public boolean work(Runnable action) {
        if (!closed) {
            start(action);
        }
        return !closed;
    }

    /** Has as many threads as it wants: what waits for a thread here waits for a message elsewhere. */
    @Override
    public void limit(int atOnce) {}

    @Override
    public void tell(Runnable action) {
        boolean unused = work(action);
    }

    private void start(Runnable action) {
        queued++;
        scheduler.start(scheduler.now() + process.chance().nextLong(HAND_OVER_NANOS), process, () -> {
            SimThread me = scheduler.current();
            running.add(me);
            try {
                action.run();
            } catch (LockStoreException logged) {
                process.tell("logs", logged);
            } finally {
                running.remove(me);
                queued--;
                if (queued == 0) {
                    closing.forEach(Pause::wake);
                }
            }
        });
    }

    @Override
    public Pause pause() {
        return new SimPause(scheduler, clocks);
    }

    @Override
    public void close(Duration patience) {
        closed = true;
        Pause pause = pause();
        closing.add(pause);
        if (pause.uninterruptibly(() -> queued == 0, patience)) {
            Thread.currentThread().interrupt();
        }
        List.copyOf(running).forEach(SimThread::interrupt);
    }
}
