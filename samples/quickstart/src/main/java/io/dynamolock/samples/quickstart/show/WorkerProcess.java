/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.quickstart.show;

import io.dynamolock.samples.quickstart.show.Event.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A JVM of its own that runs the application. What it prints is told, line by line; it ends when its input does. */
final class WorkerProcess {

    /** How an ended worker is described that was asked to end. */
    static final String IN_ORDER = exitCode(0);

    /** Small and quick to start: the work is sleeping. */
    private static final List<String> JVM_OPTIONS = List.of(
            "-Xmx96m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dfile.encoding=UTF-8",
            "-Dstdout.encoding=UTF-8");

    private final String name;
    private final Process process;
    private final Thread reader;

    private WorkerProcess(String name, Process process, Thread reader) {
        this.name = name;
        this.process = process;
        this.reader = reader;
    }

    /** Starts this JVM's program once more, with other arguments. */
    static WorkerProcess start(
            String name, Class<?> application, List<String> arguments, InstantSource clock, Consumer<Event> listener)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(JVM_OPTIONS);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), application.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread reader = new Thread(() -> read(name, process, clock, listener), name + "-reader");
        reader.setDaemon(true);
        reader.start();
        return new WorkerProcess(name, process, reader);
    }

    private static void read(String name, Process process, InstantSource clock, Consumer<Event> listener) {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            lines.lines()
                    .map(line -> Event.parse(line).orElseGet(() -> other(clock.instant(), name, Kind.SAID, line)))
                    .forEach(listener);
            listener.accept(other(clock.instant(), name, Kind.ENDED, exitCode(process.waitFor())));
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static Event other(Instant at, String worker, Kind kind, String detail) {
        return new Event(at, worker, kind, "", 0, detail);
    }

    private static String exitCode(int code) {
        return "exit code " + code;
    }

    String name() {
        return name;
    }

    /** Kills the process; it gets no chance to do anything about it. */
    void kill() {
        process.toHandle().destroyForcibly(); // the process itself would also close what it still has to tell
    }

    /** Asks the process to end. */
    void stop() {
        try {
            process.getOutputStream().close();
        } catch (IOException alreadyGone) {
            // then there is nobody to ask
        }
    }

    /** Waits for the end of the process and of all it printed; kills it if it does not come. */
    void join(Duration atMost) throws InterruptedException {
        if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
        }
        reader.join();
    }
}
