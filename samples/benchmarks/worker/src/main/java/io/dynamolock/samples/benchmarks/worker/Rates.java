/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** How often locks are acquired: free ones, one between processes, one between threads. */
final class Rates {

    private static final int NAMES = 1_000;

    /** Repetitions after which the JVM has compiled what matters, however slow the machine is. */
    private static final int WARM = 2_000;

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private Rates() {}

    /** Free names, one or several threads, each with its own names. */
    static void pairs(Run run) throws Exception {
        warmUp(run, time -> repeatPairs(run, time));
        run.awaitStart();
        Meter meter = run.startMeter();
        long pairs = repeatPairs(run, run.arguments().seconds("seconds"));
        meter.report(run.figures(), (double) pairs);
    }

    /** Something that is repeated for a while. */
    private interface Work {

        /** Returns the number of repetitions. */
        long repeat(Duration time) throws Exception;
    }

    /**
     * Works for the time of the argument "warm-up", and then until the JVM compiles for less than a twentieth of the
     * time: for three times that time in all, at most. A slow machine gets up to thirty times that time for
     * {@value #WARM} repetitions: after fewer, the code with more layers is the one that is not compiled yet.
     */
    private static void warmUp(Run run, Work work) throws Exception {
        Duration warmUp = run.arguments().seconds("warm-up");
        CompilationMXBean compiler = ManagementFactory.getCompilationMXBean();
        if (warmUp.isZero()) {
            return;
        }
        long done = work.repeat(warmUp);
        Duration slice = warmUp.dividedBy(8);
        long compiled = Long.MAX_VALUE;
        for (int i = 0; i < 16 && compiled > slice.toMillis() / 20 || i < 232 && done < WARM; i++) {
            long before = compiler.getTotalCompilationTime();
            done += work.repeat(slice);
            compiled = compiler.getTotalCompilationTime() - before;
        }
    }

    private static long repeatPairs(Run run, Duration time) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        int threads = run.arguments().number("threads");
        return threads == 1
                ? repeatPairs(run, "job-", end)
                : sum(threads, number -> repeatPairs(run, "job-" + number + "-", end));
    }

    private static long repeatPairs(Run run, String prefix, long end) throws Exception {
        long pairs = 0;
        while (System.nanoTime() - end < 0) {
            HeldLock held = run.locks().tryAcquire(prefix + pairs % NAMES);
            if (held == null) {
                throw new IllegalStateException("a free name is busy");
            }
            held.release();
            pairs++;
        }
        return pairs;
    }

    private static long sum(int threads, Run.Numbered<Long> work) throws Exception {
        return Run.onThreads(threads, work).stream().mapToLong(Long::longValue).sum();
    }

    /** One of several processes that ask for one lock again and again, and hold it for a while. */
    static void turns(Run run) throws Exception {
        long holdMillis = run.arguments().number("hold");
        run.acquire("own", PATIENCE).release();
        run.awaitStart();
        long end = System.nanoTime() + run.arguments().seconds("seconds").toNanos();
        Meter meter = run.startMeter();
        List<Double> acquired = new ArrayList<>();
        while (System.nanoTime() - end < 0) {
            HeldLock held = run.locks().acquire("shared", Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            if (held != null) {
                acquired.add(Run.now());
                Thread.sleep(holdMillis);
                held.release();
            }
        }
        meter.report(run.figures(), 1);
        run.figures().add("acquired", acquired);
    }

    /** Threads of one process that ask for one lock again and again, and release it at once. */
    static void handOvers(Run run) throws Exception {
        int threads = run.arguments().number("threads");
        warmUp(run, time -> handOvers(run, threads, time).all.sum());
        Meter meter = run.startMeter();
        Turns turns = handOvers(run, threads, run.arguments().seconds("seconds"));
        meter.report(run.figures(), (double) turns.all.sum());
        run.figures().add("handOvers", turns.ofAnother.sum() / meter.seconds());
    }

    private static Turns handOvers(Run run, int threads, Duration time) throws Exception {
        long end = System.nanoTime() + time.toNanos();
        Turns turns = new Turns();
        Run.onThreads(threads, number -> {
            while (System.nanoTime() - end < 0) {
                HeldLock held = run.locks().acquire("shared", PATIENCE);
                if (held != null) {
                    turns.taken();
                    held.release();
                }
            }
            return number;
        });
        return turns;
    }

    /** How often a lock was acquired, and how often by another thread than before. */
    private static final class Turns {

        final LongAdder all = new LongAdder();
        final LongAdder ofAnother = new LongAdder();
        private volatile @Nullable Thread last;

        /** Counts the turn of the current thread, which holds the lock. */
        void taken() {
            all.increment();
            if (last != Thread.currentThread()) {
                ofAnother.increment();
                last = Thread.currentThread();
            }
        }
    }
}
