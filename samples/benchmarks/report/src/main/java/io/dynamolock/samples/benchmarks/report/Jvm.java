/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import io.dynamolock.samples.benchmarks.worker.Worker;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A separate JVM. */
final class Jvm implements AutoCloseable {

    /** Instead of a line, after the last. */
    private static final String END = "\u0000";

    private final String name;
    private final Process process;
    private final PrintStream input;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final StringBuilder read = new StringBuilder();

    private Jvm(String name, Process process) {
        this.name = name;
        this.process = process;
        this.input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread reader = new Thread(this::read, "output-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
    }

    static Jvm start(String javaHome, String classPath, List<String> options, String mainClass, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(javaHome, "bin", "java").toString());
        command.addAll(options);
        command.addAll(List.of("-cp", classPath, mainClass));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new Jvm(mainClass + " " + arguments, process);
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            output.lines().forEach(lines::add);
        } catch (IOException | UncheckedIOException ended) {
            // it was killed
        }
        lines.add(END);
    }

    /** Waits for a line that contains a text. */
    String await(String text, Duration atMost) throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        while (true) {
            String line = lines.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            if (line == null || line.equals(END)) {
                String what = line == null ? "printed nothing for " + atMost : "ended";
                throw new IllegalStateException(name + " " + what + "; before that:\n" + read);
            }
            if (line.contains(text)) {
                return line;
            }
            if (line.startsWith(Worker.NOTE)) {
                System.out.println(line);
            }
            read.append(line).append('\n');
        }
    }

    /** Waits for its end, and returns what it has printed. */
    String awaitEnd(Duration atMost) throws InterruptedException {
        if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS) || process.exitValue() != 0) {
            throw new IllegalStateException(
                    name + " failed, or took longer than " + atMost + "; it printed:\n" + lines);
        }
        List<String> all = new ArrayList<>();
        for (String line = lines.take(); !line.equals(END); line = lines.take()) {
            all.add(line);
        }
        return String.join("\n", all);
    }

    void send(String line) {
        input.println(line);
    }

    @Override
    public void close() {
        kill();
    }

    /** Kills the process, and waits for its end. */
    void kill() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }
}
