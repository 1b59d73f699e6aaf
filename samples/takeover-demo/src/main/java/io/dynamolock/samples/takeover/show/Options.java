/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of the command line.
 *
 * @param workers number of processes
 * @param time how long to observe them
 * @param locks whether locking is on
 * @param directory directory of the journals; null for a new temporary directory
 */
record Options(
        int workers, Duration time, boolean locks, @Nullable Path directory) {

    static final String USAGE = """
            Usage: takeover-demo [--without-locks] [--workers N] [--seconds N] [--journals DIR]

              --without-locks  turn locking off: the summary shows the overlaps
              --workers N      number of processes, 2 to 20 (3)
              --seconds N      how long to run at least, 1 to 3600 (40)
              --journals DIR   an empty directory for the journals (a new temporary one)

            Exit code: 0 on success, 1 on failure or with locking off, 2 for invalid options""";

    private static final Options DEFAULT = new Options(3, Duration.ofSeconds(40), true, null);

    /** Parses the command line; rejects unknown options. */
    static Options parse(String... args) {
        Options options = DEFAULT;
        Deque<String> rest = new ArrayDeque<>(List.of(args));
        while (!rest.isEmpty()) {
            options = options.with(rest.removeFirst(), rest);
        }
        return options;
    }

    private Options with(String name, Deque<String> rest) {
        return switch (name) {
            case "--without-locks" -> new Options(workers, time, false, directory);
            case "--workers" -> new Options(number(name, rest, 2, 20), time, locks, directory);
            case "--seconds" -> new Options(workers, Duration.ofSeconds(number(name, rest, 1, 3600)), locks, directory);
            case "--journals" -> new Options(workers, time, locks, Path.of(value(name, rest)));
            default -> throw new IllegalArgumentException("Unknown option: " + name);
        };
    }

    private static int number(String name, Deque<String> rest, int least, int most) {
        String value = value(name, rest);
        if (!value.matches("\\d{1,9}") || Integer.parseInt(value) < least || Integer.parseInt(value) > most) {
            throw new IllegalArgumentException(
                    "%s must be a number from %d to %d: %s".formatted(name, least, most, value));
        }
        return Integer.parseInt(value);
    }

    private static String value(String name, Deque<String> rest) {
        if (rest.isEmpty()) {
            throw new IllegalArgumentException(name + " needs a value");
        }
        return rest.removeFirst();
    }

    /** Returns an empty directory: journals of an earlier run would count as part of this one. */
    Path emptyDirectory() throws IOException {
        if (directory == null) {
            return Files.createTempDirectory("dynamolock-takeover-demo-");
        }
        Files.createDirectories(directory);
        try (var files = Files.list(directory)) {
            if (files.findAny().isPresent()) {
                throw new IllegalArgumentException("--journals must be an empty directory: " + directory);
            }
        }
        return directory;
    }
}
