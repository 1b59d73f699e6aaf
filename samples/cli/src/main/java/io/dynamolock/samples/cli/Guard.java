/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Stops the command if this process is killed: nobody would renew the lease any more, and the command would go on without
 * the lock. A shell waits for the end of a pipe, whose other end the kernel closes with this process.
 */
final class Guard implements AutoCloseable {

    private static final String SCRIPT = """
            trap '' HUP INT TERM
            read -r ended && exit
            kill -TERM "$1" || exit
            left=$2
            while [ "$left" -gt 0 ]; do
              sleep 1
              kill -0 "$1" || exit
              left=$((left - 1))
            done
            kill -KILL "$1"
            """;

    private final @Nullable Process shell;

    private Guard(@Nullable Process shell) {
        this.shell = shell;
    }

    /** Guards a process. Has no effect without a shell, as on Windows. */
    static Guard of(long pid, Duration killAfter) {
        ProcessBuilder builder = new ProcessBuilder(
                        "sh", "-c", SCRIPT, "dynamolock-guard", Long.toString(pid), seconds(killAfter))
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD);
        try {
            return new Guard(builder.start());
        } catch (IOException noShell) {
            return new Guard(null);
        }
    }

    private static String seconds(Duration time) {
        return Long.toString(time.plusMillis(999).toSeconds());
    }

    /** Ends the guard, with the command. */
    @Override
    public void close() {
        if (shell == null) {
            return;
        }
        try (OutputStream ended = shell.getOutputStream()) {
            ended.write('\n');
        } catch (IOException goneAlready) {
            // somebody has killed it
        }
    }
}
