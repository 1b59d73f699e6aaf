/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.worker;

import java.util.Collection;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** The figures of a process, which it prints in one line. */
final class Figures {

    private final StringJoiner line = new StringJoiner(" ");

    void add(String key, double value) {
        line.add(key + "=" + String.format(Locale.ROOT, "%.4f", value));
    }

    void add(String key, long value) {
        line.add(key + "=" + value);
    }

    /** Adds several values, separated by commas. */
    void add(String key, Collection<Double> values) {
        line.add(key + "="
                + values.stream()
                        .map(value -> String.format(Locale.ROOT, "%.3f", value))
                        .collect(Collectors.joining(",")));
    }

    @Override
    public String toString() {
        return line.toString();
    }
}
