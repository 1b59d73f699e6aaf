/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The samples of one experiment by library, in the order of the rounds. */
final class Results {

    private final Experiment experiment;
    private final Map<Peer, List<Sample>> samples = new EnumMap<>(Peer.class);
    private final Map<Peer, String> failures = new EnumMap<>(Peer.class);

    Results(Experiment experiment) {
        this.experiment = experiment;
    }

    /** Returns the results of an experiment, if it has samples of this library. */
    static Optional<Results> ofDynamolock(List<Results> all, String id) {
        return all.stream()
                .filter(results -> results.experiment.id().equals(id) && results.has(Peer.DYNAMOLOCK))
                .findFirst();
    }

    Experiment experiment() {
        return experiment;
    }

    void add(Peer peer, Sample sample) {
        samples.computeIfAbsent(peer, any -> new ArrayList<>()).add(sample);
    }

    void addFailure(Peer peer, Exception failure) {
        failures.put(peer, String.valueOf(failure.getMessage()));
    }

    /** Returns the libraries with samples. */
    List<Peer> peers() {
        return List.copyOf(samples.keySet());
    }

    boolean has(Peer peer) {
        return samples.containsKey(peer);
    }

    Map<Peer, String> failures() {
        return failures;
    }

    Statistics of(Peer peer, Metric metric) {
        return Statistics.of(values(peer, metric.key()).stream()
                .map(value -> value / metric.divisor())
                .toList());
    }

    /** Returns the median of a metric as the report shows it. */
    String median(Peer peer, Metric metric) {
        return metric.text(of(peer, metric).median());
    }

    double median(Peer peer, String key) {
        return Statistics.of(values(peer, key)).median();
    }

    /** Returns the median of the ratios of a library to another, each within one round. */
    double ratio(Peer peer, Peer to, String key) {
        List<Double> above = values(peer, key);
        List<Double> below = values(to, key);
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(above.size(), below.size()); i++) {
            ratios.add(above.get(i) / below.get(i));
        }
        return Statistics.of(ratios).median();
    }

    private List<Double> values(Peer peer, String key) {
        return samples.getOrDefault(peer, List.of()).stream()
                .flatMap(sample -> sample.values(key).stream())
                .toList();
    }
}
