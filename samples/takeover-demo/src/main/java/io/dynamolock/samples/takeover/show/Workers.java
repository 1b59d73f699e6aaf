/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The worker processes. None of them outlives the launcher. */
final class Workers implements AutoCloseable {

    private static final Duration END = Duration.ofSeconds(20);

    /** Starts one worker. */
    interface Start {
        WorkerProcess start(String name) throws IOException;
    }

    private final List<WorkerProcess> processes = new ArrayList<>();
    private final Thread onExit = new Thread(this::stop, "stop-workers");

    private Workers() {}

    static Workers start(int count, Start start) throws IOException {
        Workers workers = new Workers();
        Runtime.getRuntime().addShutdownHook(workers.onExit);
        try {
            for (int i = 1; i <= count; i++) {
                workers.processes.add(start.start("worker-" + i));
            }
            return workers;
        } catch (IOException | RuntimeException failure) {
            workers.close();
            throw failure;
        }
    }

    void kill(String name) {
        processes.stream()
                .filter(worker -> worker.name().equals(name))
                .forEach(worker -> worker.jvm().kill());
    }

    /** Stops all workers after their current work, and waits for them. */
    void stop() {
        processes.forEach(worker -> worker.jvm().stop());
        try {
            for (WorkerProcess worker : processes) {
                worker.jvm().join(END);
            }
        } catch (InterruptedException hurry) {
            processes.forEach(worker -> worker.jvm().kill());
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        stop();
        try {
            Runtime.getRuntime().removeShutdownHook(onExit);
        } catch (IllegalStateException exiting) {
            // the hook finds nothing to stop
        }
    }
}
