/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Runs many histories in parallel, one per CPU. */
final class SimRun {

    private final SimOptions options;
    private final SimReport report = new SimReport();
    private final AtomicReference<@Nullable Throwable> unplayed = new AtomicReference<>();

    private SimRun(SimOptions options) {
        this.options = options;
    }

    /**
     * Plays histories until one breaks the promise that is expected to fall. For mutants of the engine, which are loaded by a
     * class loader of their own.
     *
     * @param firstSeed the first seed
     * @param histories how many, at most
     * @param time the one time that all processes go by; empty to leave it to chance
     * @param invariant the promise
     * @return how many were played; the invariant that fell, another one if that did not, or -1; the seed
     */
    static long[] run(long firstSeed, int histories, String time, int invariant) {
        long[] other = {histories, -1, 0};
        SimOptions options = SimOptions.by(time.isEmpty() ? null : LeaseTime.valueOf(time));
        try (SimGroup group = new SimGroup("mutant")) {
            for (int i = 0; i < histories; i++) {
                SimVerdict.Violation violation =
                        group.play(firstSeed + i, options).violation();
                if (violation != null) {
                    other = new long[] {i + 1, violation.invariant(), firstSeed + i};
                }
                if (violation != null && violation.invariant() == invariant) {
                    return other;
                }
            }
        }
        return other;
    }

    /** Runs one history with a full trace. */
    static SimResult replay(long seed, SimOptions options) {
        try (SimGroup group = new SimGroup("replay")) {
            return group.play(seed, options.traced());
        }
    }

    /** Runs histories with consecutive seeds until a condition ends it. */
    static SimReport play(long firstSeed, long histories, SimOptions options, BooleanSupplier enough) {
        SimRun run = new SimRun(options);
        AtomicLong next = new AtomicLong(firstSeed);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Math.max(1, Runtime.getRuntime().availableProcessors()); i++) {
            String name = "sim-" + i;
            Thread thread = new Thread(() -> run.playAll(name, next, firstSeed + histories, enough), name);
            threads.add(thread);
            thread.start();
        }
        threads.forEach(SimRun::join);
        Throwable unplayed = run.unplayed.get();
        if (unplayed != null) {
            throw new AssertionError("A history was not played to its end", unplayed);
        }
        return run.report;
    }

    private void playAll(String name, AtomicLong next, long end, BooleanSupplier enough) {
        try (SimGroup group = new SimGroup(name)) {
            for (long seed = next.getAndIncrement();
                    seed < end && !enough.getAsBoolean();
                    seed = next.getAndIncrement()) {
                report.add(group.play(seed, options));
            }
        } catch (Throwable failure) {
            unplayed.compareAndSet(null, failure);
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException interrupt) {
            throw new IllegalStateException(interrupt);
        }
    }

    /** Command line: first seed, number of histories, and optionally the kind of time. */
    public static void main(String[] args) {
        SimQuiet.quietly(() -> {
            long first = Long.parseLong(args[0]);
            long count = Long.parseLong(args[1]);
            @Nullable LeaseTime time = args.length > 2 ? LeaseTime.valueOf(args[2]) : null;
            SimReport report = play(first, count, SimOptions.by(time), () -> false);
            System.out.println(report.summary(first, first + count - 1));
            System.out.println(report.figures());
            SimResult broken = report.first();
            if (broken != null) {
                System.out.println(SimShrinker.explain(broken.seed(), SimOptions.by(time)));
            }
        });
    }
}
