/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** One process holds locks, another waits for them. */
record Pair(int names, int seconds) implements Experiment.Trial {

    @Override
    public Sample run(Lab lab, Peer peer) throws Exception {
        String[] arguments = {"names=" + names, "seconds=" + seconds, "lease=60"};
        try (Jvm holder = lab.start(peer, "hold", arguments)) {
            Lab.awaitReady(holder);
            try (Jvm waiter = lab.start(peer, "wait", arguments)) {
                Lab.awaitReady(waiter);
                Lab.letGo(waiter);
                Lab.letGo(holder);
                Sample held = Lab.result(holder);
                Sample waited = Lab.result(waiter);
                return waited.with("latency", latencies(held, waited, ""))
                        .with("latencyAgain", latencies(held, waited, "Again"));
            }
        }
    }

    private List<Double> latencies(Sample held, Sample waited, String time) {
        List<Double> latencies = new ArrayList<>();
        for (int i = 0; i < names; i++) {
            latencies.add(waited.values("acquired" + time).get(i)
                    - held.values("released" + time).get(i));
        }
        return latencies;
    }
}
