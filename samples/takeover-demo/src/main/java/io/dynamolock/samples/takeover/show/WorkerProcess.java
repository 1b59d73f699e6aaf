/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import io.dynamolock.samples.localdynamodb.ChildJvm;
import io.dynamolock.samples.takeover.show.Event.Kind;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/**
 * A process that runs the application, and ends when its input ends.
 *
 * @param name the name of the worker
 * @param jvm the process
 */
record WorkerProcess(String name, ChildJvm jvm) {

    /** Description of a worker that ended on request. */
    static final String IN_ORDER = exitCode(0);

    /** Starts a worker that reports its events and other output. */
    static WorkerProcess start(
            String name, Class<?> application, List<String> arguments, InstantSource clock, Consumer<Event> listener)
            throws IOException {
        ChildJvm jvm = ChildJvm.start(
                List.of("-Xmx96m"),
                application,
                arguments,
                line -> listener.accept(
                        Event.parse(line).orElseGet(() -> other(clock.instant(), name, Kind.SAID, line))),
                code -> listener.accept(other(clock.instant(), name, Kind.ENDED, exitCode(code))));
        return new WorkerProcess(name, jvm);
    }

    private static Event other(Instant at, String worker, Kind kind, String detail) {
        return new Event(at, worker, kind, "", 0, detail);
    }

    private static String exitCode(int code) {
        return "exit code " + code;
    }
}
