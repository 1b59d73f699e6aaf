/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import io.dynamolock.samples.takeover.show.Event.Kind;
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

/** A separate JVM that runs the application. It reports each line of its output, and ends when its input ends. */
final class WorkerProcess {

    /** Description of a worker that ended on request. */
    static final String IN_ORDER = exitCode(0);

    /** Small and quick to start: the work only sleeps. */
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

    /** Starts a second JVM with the class path of this one and other arguments. */
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

    /** Kills the process, without a chance to clean up. */
    void kill() {
        process.toHandle().destroyForcibly(); // Process.destroyForcibly would also close its unread output
    }

    /** Stops the process by closing its input. */
    void stop() {
        try {
            process.getOutputStream().close();
        } catch (IOException alreadyGone) {
            // nothing to stop
        }
    }

    /** Waits for the end of the process and its output; kills the process after the given time. */
    void join(Duration atMost) throws InterruptedException {
        if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
        }
        reader.join();
    }
}
