/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.dynamodb;

import io.dynamolock.LeaseTime;
import io.dynamolock.TestRun;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Controls a JVM that runs {@link ChildProcess} or {@link ColdChildProcess} by commands and signals. */
final class ChildJvm implements AutoCloseable {

    /** Prefix of each line that is not log output. */
    static final String SAYS = "> ";

    /** Prefix of each line with the new lease end of a renewal. */
    static final String RENEWED = "+ ";

    private static final Duration TIMEOUT = TestRun.TIMEOUT.multipliedBy(2);
    private static final AtomicInteger STARTED = new AtomicInteger();
    private static final String END = "(the end of its output)";

    private final Process process;
    private final PrintStream orders;
    private final BlockingQueue<String> output = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> renewed = new LinkedBlockingQueue<>();
    private final Queue<String> printed = new ConcurrentLinkedQueue<>();

    private ChildJvm(Process process) {
        this.process = process;
        this.orders = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        Thread listener = new Thread(this::listen, "listens to " + process.pid());
        listener.setDaemon(true);
        listener.start();
    }

    static ChildJvm start(String table, Duration lease) throws IOException {
        return start(table, lease, LeaseTime.SYSTEM);
    }

    static ChildJvm start(String table, Duration lease, LeaseTime time) throws IOException {
        return start(table, lease, time, Map.of());
    }

    /** Starts a JVM with additional environment variables. */
    static ChildJvm start(String table, Duration lease, LeaseTime time, Map<String, String> environment)
            throws IOException {
        return start(
                List.of(), environment, ChildProcess.class, LocalDynamoDb.endpoint(), table, lease.toMillis(), time);
    }

    /** Starts another main class. */
    static ChildJvm start(Class<?> main, Object... arguments) throws IOException {
        return start(List.of(), Map.of(), main, arguments);
    }

    /** Starts another main class with one processor. */
    static ChildJvm startOn(String processor, Class<?> main, Object... arguments) throws IOException {
        return start(List.of("taskset", "-c", processor), Map.of(), main, arguments);
    }

    private static ChildJvm start(
            List<String> prefix, Map<String, String> environment, Class<?> main, Object... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8"));
        command.add("-Dtest.jvm=" + System.getProperty("test.jvm", "jvm") + "-" + STARTED.incrementAndGet());
        command.add(main.getName());
        List.of(arguments).forEach(argument -> command.add(argument.toString()));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        builder.environment().put("CLASSPATH", classPath());
        return new ChildJvm(builder.redirectErrorStream(true).start());
    }

    /** The class path starts with the location of this class, so that a seeded fault applies there as well. */
    private static String classPath() {
        String all = System.getProperty("java.class.path");
        if (!(ChildJvm.class.getClassLoader() instanceof URLClassLoader seeded)) {
            return all;
        }
        String first = Stream.of(seeded.getURLs())
                .map(place -> Path.of(URI.create(place.toString())).toString())
                .collect(Collectors.joining(File.pathSeparator));
        return first + File.pathSeparator + all;
    }

    private void listen() {
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith(SAYS)) {
                    output.add(line.substring(SAYS.length()));
                } else if (line.startsWith(RENEWED)) {
                    renewed.add(line.substring(RENEWED.length()));
                } else {
                    printed.add(line);
                }
            }
        } catch (IOException killed) {
            printed.add("fell silent: " + killed.getMessage());
        } finally {
            output.add(END);
            renewed.add(END);
        }
    }

    void send(Object... words) {
        orders.println(
                String.join(" ", List.of(words).stream().map(Object::toString).toList()));
    }

    /** Returns its next line. */
    String receive() throws InterruptedException {
        return next(output);
    }

    private String next(BlockingQueue<String> lines) throws InterruptedException {
        String line = lines.poll(TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
        if (line == null || line.equals(END)) {
            throw new AssertionError("Process %d says nothing; alive: %s; printed:%n%s"
                    .formatted(process.pid(), process.isAlive(), String.join("\n", printed)));
        }
        return line;
    }

    /** Waits until it reports ready. */
    ChildJvm whenReady() throws InterruptedException {
        String line = receive();
        if (!line.equals("ready")) {
            throw new AssertionError("Expected 'ready', but received: " + line);
        }
        return this;
    }

    /** Waits for its next renewal. Returns the new local lease end on its own wall clock. */
    Instant nextRenewal() throws InterruptedException {
        renewed.clear();
        return Instant.ofEpochMilli(Long.parseLong(next(renewed)));
    }

    /** Returns the number after the word in the next line. */
    long receiveNumber(String word) throws InterruptedException {
        String line = receive();
        if (!line.startsWith(word + " ")) {
            throw new AssertionError("Expected '" + word + "', but received: " + line);
        }
        return Long.parseLong(line.split(" ", -1)[1]);
    }

    /** Sends a signal, for example STOP. */
    void signal(String name) throws IOException, InterruptedException {
        int exit = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
        if (exit != 0) {
            throw new AssertionError("kill -" + name + " failed");
        }
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
