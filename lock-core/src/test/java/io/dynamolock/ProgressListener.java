/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Prints a line every ten seconds for each test class that takes longer. If no test starts or ends for a quarter of an hour,
 * prints what the threads do, and ends the JVM: a test that waits for ever would take the time of all others.
 */
final class ProgressListener implements TestExecutionListener {

    static final ProgressListener INSTANCE = new ProgressListener();

    private static final Duration PERIOD = Duration.ofSeconds(10);

    private static final Duration HANG = Duration.ofMinutes(15);

    private final Map<String, Progress> running = new ConcurrentHashMap<>();
    private volatile long lastEventNanos = System.nanoTime();

    private ProgressListener() {
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "progress");
            thread.setDaemon(true);
            return thread;
        });
        var unused = timer.scheduleAtFixedRate(this::report, 1, 1, TimeUnit.SECONDS);
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        lastEventNanos = System.nanoTime();
        className(test).ifPresent(name -> running.put(name, new Progress(System.nanoTime())));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        lastEventNanos = System.nanoTime();
        className(test).ifPresent(running::remove);
    }

    private static Optional<String> className(TestIdentifier test) {
        return test.getSource()
                .filter(ClassSource.class::isInstance)
                .map(source -> ((ClassSource) source).getClassName());
    }

    private void report() {
        running.forEach((name, progress) -> progress.report(name.substring(name.lastIndexOf('.') + 1)));
        if (!running.isEmpty() && System.nanoTime() - lastEventNanos > HANG.toNanos()) {
            System.out.printf("no test has started or ended for %d min: %s%n", HANG.toMinutes(), running.keySet());
            Thread.getAllStackTraces().forEach(ProgressListener::print);
            Runtime.getRuntime().halt(1);
        }
    }

    private static void print(Thread thread, StackTraceElement[] frames) {
        System.out.printf("%n%s %s%n", thread.getName(), thread.getState());
        Stream.of(frames).limit(30).forEach(frame -> System.out.println("    " + frame));
    }

    /** Start of a running test class, and the time of its next progress line. */
    private static final class Progress {

        private final long startedNanos;
        private long nextNanos;

        Progress(long startedNanos) {
            this.startedNanos = startedNanos;
            this.nextNanos = startedNanos + PERIOD.toNanos();
        }

        void report(String name) {
            long now = System.nanoTime();
            if (now - nextNanos >= 0) {
                nextNanos = now + PERIOD.toNanos();
                System.out.printf("still running: %s (%d s)%n", name, (now - startedNanos) / 1_000_000_000);
            }
        }
    }
}
