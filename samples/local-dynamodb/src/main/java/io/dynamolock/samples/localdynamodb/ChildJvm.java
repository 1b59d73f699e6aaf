/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.localdynamodb;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A separate JVM with the class path of this one. It reports each line of its output, and its end. */
public final class ChildJvm implements AutoCloseable {

    /** Quick to start, and complete lines of text. */
    private static final List<String> OPTIONS = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dfile.encoding=UTF-8",
            "-Dstdout.encoding=UTF-8",
            "-Dstderr.encoding=UTF-8");

    private final Process process;
    private final PrintStream input;
    private final Thread reader;
    private @Nullable Process waker;

    private ChildJvm(Process process, Thread reader) {
        this.process = process;
        this.input = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        this.reader = reader;
    }

    /**
     * Starts a JVM.
     *
     * @param jvmOptions further options of the JVM
     * @param main the class to run, which should end when its standard input ends, so as not to outlive this process
     * @param arguments its arguments
     * @param lines gets each line of its output and errors, on a thread of its own
     * @param end gets the exit code, after all lines
     * @return the running process
     * @throws IOException if it cannot be started
     */
    public static ChildJvm start(
            List<String> jvmOptions, Class<?> main, List<String> arguments, Consumer<String> lines, IntConsumer end)
            throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(OPTIONS);
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        Thread reader = new Thread(() -> read(process, lines, end), "output-of-" + process.pid());
        reader.setDaemon(true);
        reader.start();
        return new ChildJvm(process, reader);
    }

    private static void read(Process process, Consumer<String> lines, IntConsumer end) {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            output.lines().forEach(lines);
            end.accept(process.waitFor());
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /**
     * Writes a line to its standard input.
     *
     * @param line the text
     */
    public void send(String line) {
        input.println(line);
    }

    /**
     * Returns the process id.
     *
     * @return its id
     */
    public long pid() {
        return process.pid();
    }

    /**
     * Pauses the process, where the operating system has signals, until it is woken or this process ends.
     *
     * @throws IOException if it cannot be paused
     */
    public synchronized void pause() throws IOException {
        wake();
        String pid = Long.toString(pid());
        Process shell = new ProcessBuilder("sh", "-c", "kill -STOP $0 && echo paused && read line; kill -CONT $0", pid)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        if (shell.getInputStream().read() < 0) {
            throw new IOException("cannot pause process " + pid);
        }
        waker = shell;
    }

    /**
     * Wakes the process if it is paused.
     *
     * @throws IOException if it cannot be woken
     */
    public synchronized void wake() throws IOException {
        if (waker != null) {
            waker.getOutputStream().close(); // what the shell waits for, also when this process dies
            waker.onExit().join();
            waker = null;
        }
    }

    /** Kills the process, without a chance to clean up. */
    public synchronized void kill() {
        process.toHandle().destroyForcibly(); // Process.destroyForcibly would also close its unread output
        if (waker != null) {
            waker.destroy();
        }
    }

    /** Asks the process to stop, by closing its standard input. */
    public void stop() {
        input.close();
    }

    /**
     * Waits for the end of the process and its output; kills the process after the given time.
     *
     * @param atMost the time
     * @throws InterruptedException if this thread is interrupted
     */
    public void join(Duration atMost) throws InterruptedException {
        if (!process.waitFor(atMost.toMillis(), TimeUnit.MILLISECONDS)) {
            kill();
        }
        reader.join();
    }

    /** Kills the process, and waits for its end. */
    @Override
    public void close() {
        kill();
        process.onExit().join();
    }
}
