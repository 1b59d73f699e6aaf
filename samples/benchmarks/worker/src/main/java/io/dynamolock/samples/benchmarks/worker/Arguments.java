/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** The arguments of a process, each of the form {@code key=value}. */
final class Arguments {

    private final Map<String, String> values;

    Arguments(String... args) {
        this.values = Arrays.stream(args)
                .map(arg -> arg.split("=", 2))
                .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1]));
    }

    String text(String key) {
        String value = values.get(key);
        if (value == null) {
            throw new IllegalArgumentException("missing argument: " + key);
        }
        return value;
    }

    int number(String key) {
        return Integer.parseInt(text(key));
    }

    Duration seconds(String key) {
        return Duration.ofMillis(Math.round(Double.parseDouble(text(key)) * 1_000));
    }
}
