/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.util.List;

/**
 * A scenario as the report shows it.
 *
 * @param id its name in options and files
 * @param title its heading
 * @param description what happens
 * @param peers whom it concerns
 * @param rounds how often it runs, each time with all peers in turn
 * @param metrics the columns; the chart shows the first
 * @param trial one run
 */
record Experiment(
        String id, String title, String description, List<Peer> peers, int rounds, List<Metric> metrics, Trial trial) {

    /** Returns the metric with a key. */
    Metric metric(String key) {
        return metrics.stream()
                .filter(metric -> metric.key().equals(key))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no metric " + key + " of " + id));
    }

    /** Runs a scenario once with one library. */
    interface Trial {
        Sample run(Lab lab, Peer peer) throws Exception;
    }
}
