/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The figures of one run, by key. */
record Sample(Map<String, List<Double>> figures) {

    /** To begin with. */
    static final Sample NONE = new Sample(Map.of());

    /** Reads {@code key=value} and {@code key=value,value}, separated by blanks. */
    static Sample parse(String line) {
        Map<String, List<Double>> figures = new TreeMap<>();
        for (String part : line.strip().split(" +", -1)) {
            String[] pair = part.split("=", 2);
            figures.put(pair[0], pair[1].isEmpty() ? List.of() : numbers(pair[1]));
        }
        return new Sample(figures);
    }

    private static List<Double> numbers(String text) {
        return Arrays.stream(text.split(",", -1)).map(Double::valueOf).toList();
    }

    double value(String key) {
        return values(key).get(0);
    }

    List<Double> values(String key) {
        List<Double> values = figures.get(key);
        if (values == null) {
            throw new IllegalArgumentException("no figure " + key + " in " + figures.keySet());
        }
        return values;
    }

    Sample with(String key, List<Double> values) {
        Map<String, List<Double>> more = new TreeMap<>(figures);
        more.put(key, values);
        return new Sample(more);
    }

    Sample with(String key, double value) {
        return with(key, List.of(value));
    }
}
