/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/** A bounded pool of manager threads with priorities. */
final class SimPool {

    private static final long HAND_OVER_NANOS = 20_000;

    private record Work(long deadline, long number, Runnable action) {}

    private final SimScheduler scheduler;
    private final SimProcess process;
    private final SplittableRandom chance;
    private final Runnable whenIdle;
    private final PriorityQueue<Work> queue =
            new PriorityQueue<>(Comparator.comparingLong(Work::deadline).thenComparingLong(Work::number));
    private final List<SimThread> running = new ArrayList<>();
    private int threads;
    private int busy;
    private int starting;
    private long number;

    SimPool(SimProcess process, SplittableRandom chance, int threads, Runnable whenIdle) {
        this.scheduler = process.scheduler;
        this.process = process;
        this.chance = chance;
        this.threads = threads;
        this.whenIdle = whenIdle;
    }

    void submit(long deadline, Runnable action) {
        queue.add(new Work(deadline, number++, action));
        startWhatFits();
    }

    void limit(int most) {
        threads = most;
        startWhatFits();
    }

    private void startWhatFits() {
        while (busy < threads && starting < queue.size()) {
            busy++;
            starting++;
            scheduler.start(scheduler.now() + chance.nextLong(HAND_OVER_NANOS), process, this::serve);
        }
    }

    private void serve() {
        starting--;
        SimThread me = scheduler.current();
        running.add(me);
        try {
            while (!queue.isEmpty() && busy <= threads) {
                run(queue.remove().action());
            }
        } finally {
            running.remove(me);
            busy--;
        }
        startWhatFits();
        if (isIdle()) {
            whenIdle.run();
        }
    }

    /** Isolates failures as the manager's threads do. */
    private void run(Runnable action) {
        try {
            action.run();
        } catch (LockStoreException logged) {
            process.logFailure("logs", logged);
        }
    }

    boolean runs(SimThread thread) {
        return running.contains(thread);
    }

    /** Whether more work has to wait, as all threads have some. */
    boolean isExhausted() {
        return running.size() >= threads;
    }

    boolean isIdle() {
        return busy == 0 && queue.isEmpty();
    }

    /** Drops tasks that have not started. */
    void clear() {
        queue.clear();
    }

    void interrupt() {
        List.copyOf(running).forEach(SimThread::interrupt);
    }
}
