/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.time.Duration;
import java.util.Arrays;

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
        HeldLock[] held = new HeldLock[count];
        Run.onThreads(THREADS, number -> acquireShare(run, number, held));
        Meter meter = run.startMeter();
        Thread.sleep(run.arguments().seconds("seconds").toMillis());
        run.figures().add("cores", meter.cores());
        meter.report(run.figures(), meter.seconds());
        run.figures().add("kept", Arrays.stream(held).filter(HeldLock::isHeld).count());
        run.figures().add("heapBytes", (Meter.heapBytes() - before) / (double) count);
        Run.onThreads(THREADS, number -> requireBusy(run, number, Arrays.copyOf(held, Math.min(count, SAMPLE))));
    }

    /** What its holder believes is not enough: nobody else can acquire it. */
    private static int requireBusy(Run run, int number, HeldLock[] held) throws Exception {
        for (int i = number; i < held.length; i += THREADS) {
            if (run.locks().tryAcquire(name(i)) != null) {
                throw new IllegalStateException(name(i) + (held[i].isHeld() ? " is held twice" : " was lost"));
            }
        }
        return number;
    }

    /** Names differ between processes, as the leases of the previous run may still be in the table. */
    private static String name(int number) {
        return "job-" + ProcessHandle.current().pid() + "-" + number;
    }

    private static int acquireShare(Run run, int number, HeldLock[] held) throws Exception {
        for (int i = number; i < held.length; i += THREADS) {
            HeldLock lock = run.locks().tryAcquire(name(i));
            if (lock == null) {
                throw new IllegalStateException("a free name is busy");
            }
            held[i] = lock;
        }
        return number;
    }
}
