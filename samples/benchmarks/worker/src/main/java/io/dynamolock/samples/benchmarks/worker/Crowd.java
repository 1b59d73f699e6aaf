/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/** Many threads of one process wait for few locks, once each. */
final class Crowd {

    private static final int NAMES = 100;

    private Crowd() {}

    static void play(Run run) throws Exception {
        int waiters = run.arguments().number("threads");
        Duration patience = run.arguments().seconds("seconds");
        run.acquire("own", patience).release();
        AtomicInteger served = new AtomicInteger();
        AtomicReference<Exception> failure = new AtomicReference<>();
        ExecutorService threads = run.arguments().text("virtual").equals("yes")
                ? virtualThreads()
                : Executors.newFixedThreadPool(waiters);
        Meter meter = run.startMeter();
        for (int i = 0; i < waiters; i++) {
            String name = "job-" + i % NAMES;
            threads.execute(() -> {
                try {
                    HeldLock held = run.locks().acquire(name, patience);
                    if (held != null) {
                        held.release();
                        served.incrementAndGet();
                    }
                } catch (Exception failed) {
                    failure.compareAndSet(null, failed);
                }
            });
        }
        threads.shutdown();
        threads.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS);
        run.figures().add("seconds", meter.seconds());
        run.figures().add("unservedPercent", 100.0 * (waiters - served.get()) / waiters);
        meter.report(run.figures(), waiters);
        if (failure.get() != null) {
            System.out.println(Worker.NOTE + " first failure: " + failure.get());
        }
    }

    /** This class is compiled for Java 17, which has none. */
    private static ExecutorService virtualThreads() throws ReflectiveOperationException {
        return (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    }
}
