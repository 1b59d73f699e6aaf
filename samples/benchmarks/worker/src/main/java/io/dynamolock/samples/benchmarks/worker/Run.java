/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** One run of a scenario: the locks, its arguments and its figures. */
record Run(Worker worker, Arguments arguments, Connection connection, LockClient locks, Figures figures) {

    void awaitStart() throws InterruptedException {
        worker.awaitStart();
    }

    Meter startMeter() {
        return Meter.start(connection.requests());
    }

    HeldLock acquire(String name, Duration atMost) throws Exception {
        HeldLock held = locks.acquire(name, atMost);
        if (held == null) {
            throw new IllegalStateException(name + " was busy for " + atMost);
        }
        return held;
    }

    /** Runs work on threads, each with its number, and returns their results. */
    static <T> List<T> onThreads(int threads, Numbered<T> work) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Callable<T>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int number = i;
                all.add(() -> work.call(number));
            }
            List<T> results = new ArrayList<>();
            for (Future<T> future : pool.invokeAll(all)) {
                results.add(future.get());
            }
            return results;
        } finally {
            pool.shutdown();
        }
    }

    /** Work that knows the number of its thread. */
    interface Numbered<T> {
        T call(int number) throws Exception;
    }

    /** The time since the epoch, for comparison with other processes of this machine, in milliseconds. */
    static double now() {
        return (double) System.currentTimeMillis();
    }
}
