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
                List<Double> released = Lab.result(holder).values("released");
                Sample waited = Lab.result(waiter);
                List<Double> latencies = new ArrayList<>();
                for (int i = 0; i < names; i++) {
                    latencies.add(waited.values("acquired").get(i) - released.get(i));
                }
                return waited.with("latency", latencies);
            }
        }
    }
}
