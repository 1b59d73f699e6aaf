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
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Prints a line every ten seconds for each test class that takes longer. */
final class ProgressListener implements TestExecutionListener {

    static final ProgressListener INSTANCE = new ProgressListener();

    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final Map<String, Progress> running = new ConcurrentHashMap<>();

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
        className(test).ifPresent(name -> running.put(name, new Progress(System.nanoTime())));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        className(test).ifPresent(running::remove);
    }

    private static Optional<String> className(TestIdentifier test) {
        return test.getSource()
                .filter(ClassSource.class::isInstance)
                .map(source -> ((ClassSource) source).getClassName());
    }

    private void report() {
        running.forEach((name, progress) -> progress.report(name.substring(name.lastIndexOf('.') + 1)));
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
