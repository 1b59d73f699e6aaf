/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the signals that would end this process. Before the command runs, they interrupt the thread that listens;
 * from then on, they reach the command. The same signal twice at once counts once.
 *
 * <p>By reflection, because the compiler warns about each use of {@code sun.misc.Signal}. Where there is none, or the JVM
 * was started with {@code -Xrs}, a signal ends this process as usual, and {@link Guard} stops the command.
 */
final class StopSignals implements AutoCloseable {

    private static final Map<String, Integer> NUMBERS = Map.of("HUP", 1, "INT", 2, "TERM", 15);

    /** The same signal again within this time is a copy: GNU timeout sends it to its process group and to the program. */
    private static final Duration OF_COPIES = Duration.ofMillis(500);

    private final Map<Object, Object> handlersBefore = new LinkedHashMap<>();
    private final Thread listening = Thread.currentThread();
    private final Consumer<String> report;
    private final Map<String, Long> times = new HashMap<>();
    private @Nullable String received;
    private @Nullable LockedProcess command;

    private StopSignals(Consumer<String> report) {
        this.report = report;
    }

    /** Starts to listen, on behalf of this thread. */
    static StopSignals listen(Consumer<String> report) {
        StopSignals signals = new StopSignals(report);
        NUMBERS.keySet().forEach(signals::listenTo);
        return signals;
    }

    /** Starts a process. */
    interface Start {
        LockedProcess start() throws IOException;
    }

    /** Starts the command, which gets all signals from now on, unless there was one before. */
    synchronized Optional<LockedProcess> unlessReceived(Start start) throws IOException {
        boolean interrupted = Thread.interrupted(); // a signal is remembered, and the thread has requests to send
        if (interrupted || received != null) {
            return Optional.empty();
        }
        command = start.start();
        return Optional.of(command);
    }

    /** The exit code of a process that was ended by the signal before it could run a command. */
    synchronized int exitCode() {
        return ExitCode.SIGNAL + NUMBERS.getOrDefault(received == null ? "TERM" : received, 0);
    }

    synchronized boolean wereReceived() {
        return received != null;
    }

    /** The same one again ends this process, whose request may hang for as long as DynamoDB does. */
    private synchronized void on(String name, long now) {
        Long before = times.get(name);
        if (before != null && now - before < OF_COPIES.toNanos()) {
            return;
        }
        times.put(name, now);
        if (command == null) {
            if (before != null) {
                report.accept("ended by a second SIG%s during a request: the lock may stay held until its lease expires"
                        .formatted(name));
                Runtime.getRuntime().halt(exitCode());
            }
            received = received == null ? name : received;
            listening.interrupt();
        } else if (!name.equals("INT") || !isInForeground()) {
            command.terminate();
        }
    }

    /**
     * Whether this process is in the foreground of a terminal: the terminal then sends an interrupt to the command as well,
     * and a second one would end commands that treat it as a request to stop immediately.
     */
    @SuppressWarnings("SystemConsoleNull") // a guess, where nothing better is known
    private static boolean isInForeground() {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            // state, parent, group, session, terminal, foreground group of the terminal
            List<String> fields =
                    List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", 7));
            return fields.get(2).equals(fields.get(5));
        } catch (IOException notLinux) {
            return System.console() != null;
        }
    }

    private void listenTo(String name) {
        try {
            Class<?> type = Class.forName("sun.misc.Signal");
            Object signal = type.getConstructor(String.class).newInstance(name);
            Class<?> handlerType = Class.forName("sun.misc.SignalHandler");
            Object handler = Proxy.newProxyInstance(
                    handlerType.getClassLoader(), new Class<?>[] {handlerType}, (proxy, method, arguments) -> {
                        on(name, System.nanoTime()); // of its arrival, however long another one is being handled
                        return null;
                    });
            handlersBefore.put(signal, handle(signal, handler));
        } catch (ReflectiveOperationException notPossible) {
            // see above
        }
    }

    private static Object handle(Object signal, Object handler) throws ReflectiveOperationException {
        return signal.getClass()
                .getMethod("handle", signal.getClass(), Class.forName("sun.misc.SignalHandler"))
                .invoke(null, signal, handler);
    }

    /** Handles signals as before. */
    @Override
    public void close() throws ReflectiveOperationException {
        for (Map.Entry<Object, Object> before : handlersBefore.entrySet()) {
            handle(before.getKey(), before.getValue());
        }
    }
}
