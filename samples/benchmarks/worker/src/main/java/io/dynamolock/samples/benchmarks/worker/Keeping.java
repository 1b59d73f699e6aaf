/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** One process holds many locks for longer than a lease. */
final class Keeping {

    private static final int THREADS = 16;
    private static final int SAMPLE = 160;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private Keeping() {}

    static void play(Run run) throws Exception {
        int count = run.arguments().number("count");
        Run.onThreads(THREADS, number -> {
            run.acquire("own-" + number, PATIENCE).release(); // opens connections, which are not those of a lock
            return number;
        });
        long before = Meter.heapBytes();
        List<HeldLock> held = Run.onThreads(THREADS, number -> share(run, number, count)).stream()
                .flatMap(Collection::stream)
                .toList();
        Meter meter = run.startMeter();
        Thread.sleep(run.arguments().seconds("seconds").toMillis());
        run.figures().add("cores", meter.cores());
        meter.report(run.figures(), meter.seconds());
        run.figures().add("kept", held.stream().filter(HeldLock::isHeld).count());
        run.figures().add("heapBytes", (Meter.heapBytes() - before) / (double) count);
        Run.onThreads(THREADS, number -> requireBusy(run, number, Math.min(count, SAMPLE)));
    }

    /** What its holder believes is not enough: nobody else can acquire it. */
    private static int requireBusy(Run run, int number, int count) throws Exception {
        for (int i = number; i < count; i += THREADS) {
            if (run.locks().tryAcquire(name(i)) != null) {
                throw new IllegalStateException(name(i) + " is held twice");
            }
        }
        return number;
    }

    /** Names differ between processes, as the leases of the previous run may still be in the table. */
    private static String name(int number) {
        return "job-" + ProcessHandle.current().pid() + "-" + number;
    }

    private static List<HeldLock> share(Run run, int number, int count) throws Exception {
        List<HeldLock> held = new ArrayList<>();
        for (int i = number; i < count; i += THREADS) {
            HeldLock lock = run.locks().tryAcquire(name(i));
            if (lock == null) {
                throw new IllegalStateException("a free name is busy");
            }
            held.add(lock);
        }
        return held;
    }
}
