/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** One process holds locks, and another waits for them: one thread per lock. */
final class Waiting {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

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
        run.figures().add("released", Run.onThreads(names, number -> {
            HeldLock lock = run.acquire("job-" + number, PATIENCE);
            held.countDown();
            started.await();
            Thread.sleep(Math.round((seconds - 1 + 2.0 * number / names) * 1_000)); // not all at once
            double released = Run.now();
            lock.release();
            return released;
        }));
    }

    static void await(Run run) throws Exception {
        run.acquire("own", PATIENCE).release();
        run.awaitStart();
        Meter meter = run.startMeter();
        CountDownLatch acquired = new CountDownLatch(run.arguments().number("names"));
        run.figures().add("acquired", Run.onThreads(run.arguments().number("names"), number -> {
            run.acquire("job-" + number, PATIENCE);
            double now = Run.now();
            acquired.countDown();
            acquired.await(); // what a release sends is not counted
            if (number == 0) {
                double minutesOfAll =
                        run.arguments().number("names") * run.arguments().number("seconds") / 60.0;
                meter.report(run.figures(), minutesOfAll);
            }
            return now;
        }));
    }
}
