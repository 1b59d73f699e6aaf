/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.function.Consumer;

/** One process holds locks, and another waits for them, twice: one thread per lock. */
final class Waiting {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Until the holder asks again, when the waiter has released the lock, and until the waiter does. */
    private static final Duration HOLDER_PAUSE = Duration.ofSeconds(7);

    private static final Duration WAITER_PAUSE = Duration.ofSeconds(10);

    private Waiting() {}

    static void hold(Run run) throws Exception {
        int names = run.arguments().number("names");
        double seconds = run.arguments().number("seconds");
        CountDownLatch held = new CountDownLatch(names);
        CountDownLatch started = new CountDownLatch(1);
        Thread starter = new Thread(() -> {
            try {
                held.await();
                run.awaitStart();
                started.countDown();
            } catch (InterruptedException unexpected) {
                throw new IllegalStateException(unexpected);
            }
        });
        starter.start();
        List<Times> released = Run.onThreads(names, number -> {
            long millis = Math.round((seconds - 1 + 2.0 * number / names) * 1_000); // not all at once
            HeldLock lock = run.acquire("job-" + number, PATIENCE);
            double acquired = Run.now();
            held.countDown();
            started.await();
            double first = releaseAfter(millis, lock);
            Thread.sleep(HOLDER_PAUSE.toMillis());
            long asLong = Math.round(first - acquired);
            return new Times(first, releaseAfter(asLong, run.acquire("job-" + number, PATIENCE)));
        });
        Times.add(run.figures(), "released", released);
    }

    private static double releaseAfter(long millis, HeldLock lock) throws Exception {
        Thread.sleep(millis);
        double released = Run.now();
        lock.release();
        return released;
    }

    static void await(Run run) throws Exception {
        int names = run.arguments().number("names");
        run.acquire("own", PATIENCE).release();
        run.awaitStart();
        double minutesOfAll = names * run.arguments().number("seconds") / 60.0;
        Turn first = new Turn(run, names, turn -> turn.meter.report(run.figures(), minutesOfAll));
        AtomicReference<Turn> second = new AtomicReference<>();
        List<Times> acquired = Run.onThreads(names, number -> {
            HeldLock lock = run.acquire("job-" + number, PATIENCE);
            double firstAt = Run.now();
            first.acquired();
            lock.release();
            Thread.sleep(WAITER_PAUSE.toMillis());
            second.compareAndSet(null, new Turn(run, names, turn -> turn.reportReads(run.figures())));
            run.acquire("job-" + number, PATIENCE);
            Turn turn = second.get();
            double secondAt = Run.now();
            turn.waitedMillis.add(secondAt - turn.began);
            turn.acquired();
            return new Times(firstAt, secondAt);
        });
        Times.add(run.figures(), "acquired", acquired);
    }

    /** When something happened to a lock, for the first and for the second time. */
    private record Times(double first, double second) {

        static void add(Figures figures, String key, List<Times> all) {
            figures.add(key, all.stream().map(Times::first).toList());
            figures.add(key + "Again", all.stream().map(Times::second).toList());
        }
    }

    /** The wait for all locks, once. */
    private static final class Turn {

        final Meter meter;
        final double began = Run.now();
        final DoubleAdder waitedMillis = new DoubleAdder();
        private final CyclicBarrier allAcquired;

        /** Reports once all locks are acquired, and before any is released: what releases send is not counted. */
        Turn(Run run, int names, Consumer<Turn> report) {
            this.meter = run.startMeter();
            this.allAcquired = new CyclicBarrier(names, () -> report.accept(this));
        }

        void reportReads(Figures figures) {
            figures.add("readUnitsAgain", meter.readUnits() / (waitedMillis.sum() / 60_000));
        }

        void acquired() throws InterruptedException, BrokenBarrierException {
            allAcquired.await();
        }
    }
}
