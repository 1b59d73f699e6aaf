/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Several processes compete for one lock. */
record Turns(int processes, int seconds) implements Experiment.Trial {

    private record Turn(double at, int process) {}

    @Override
    public Sample run(Lab lab, Peer peer) throws Exception {
        List<Jvm> all = new ArrayList<>();
        try {
            for (int i = 0; i < processes; i++) {
                all.add(lab.start(peer, "turns", "hold=50", "seconds=" + seconds));
            }
            for (Jvm each : all) {
                Lab.awaitReady(each);
            }
            all.forEach(Lab::letGo);
            List<Sample> samples = new ArrayList<>();
            for (Jvm each : all) {
                samples.add(Lab.result(each));
            }
            return figures(samples);
        } finally {
            all.forEach(Jvm::close);
        }
    }

    private Sample figures(List<Sample> samples) {
        List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < samples.size(); i++) {
            for (double at : samples.get(i).values("acquired")) {
                turns.add(new Turn(at, i));
            }
        }
        turns.sort(Comparator.comparingDouble(Turn::at));
        int changes = 0;
        for (int i = 1; i < turns.size(); i++) {
            changes += turns.get(i).process() == turns.get(i - 1).process() ? 0 : 1;
        }
        List<Integer> counts = samples.stream()
                .map(each -> each.values("acquired").size())
                .sorted()
                .toList();
        double requests =
                samples.stream().mapToDouble(each -> each.value("requests")).sum();
        return Sample.NONE
                .with("changes", changes / (double) seconds)
                .with("turnsPerSecond", turns.size() / (double) seconds)
                .with("fewest", counts.get(0))
                .with("most", counts.get(counts.size() - 1))
                .with("requestsPerTurn", requests / Math.max(1, turns.size()));
    }
}
