/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.util.List;

/** The median and the extremes of several values. */
record Statistics(double median, double min, double max) {

    static Statistics of(List<Double> values) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("no values");
        }
        List<Double> sorted = values.stream().sorted().toList();
        double median = (sorted.get((sorted.size() - 1) / 2) + sorted.get(sorted.size() / 2)) / 2;
        return new Statistics(median, sorted.get(0), sorted.get(sorted.size() - 1));
    }
}
