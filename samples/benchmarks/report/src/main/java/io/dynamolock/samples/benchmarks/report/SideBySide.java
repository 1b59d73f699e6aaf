/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Acquire and release of free names by several libraries at the same time, each in a process with one thread. The
 * machine is equally busy for all of them, so that few seconds suffice for a ratio.
 */
record SideBySide(List<Peer> others, int warmUp, int seconds) implements Experiment.Trial {

    @Override
    public Sample run(Lab lab, Peer peer) throws Exception {
        Map<Peer, Jvm> all = new EnumMap<>(Peer.class);
        try {
            all.put(peer, start(lab, peer));
            for (Peer other : others) {
                all.put(other, start(lab, other));
            }
            for (Jvm each : all.values()) {
                Lab.awaitReady(each);
            }
            all.values().forEach(Lab::letGo);
            Map<Peer, Sample> samples = new EnumMap<>(Peer.class);
            for (Map.Entry<Peer, Jvm> each : all.entrySet()) {
                samples.put(each.getKey(), Lab.result(each.getValue()));
            }
            return withRatios(peer, samples);
        } finally {
            all.values().forEach(Jvm::close);
        }
    }

    /** Returns the sample of a library with its throughput, divided by that of each other one. */
    static Sample withRatios(Peer peer, Map<Peer, Sample> all) {
        Sample sample = Objects.requireNonNull(all.get(peer));
        for (Map.Entry<Peer, Sample> other : all.entrySet()) {
            double ratio = sample.value("perSecond") / other.getValue().value("perSecond");
            sample = sample.with(ratioTo(other.getKey()), ratio);
        }
        return sample;
    }

    private Jvm start(Lab lab, Peer peer) throws Exception {
        return lab.start(peer, "pairs", "threads=1", "warm-up=" + warmUp, "seconds=" + seconds);
    }

    /** Returns the key of the throughput, divided by that of another library. */
    static String ratioTo(Peer other) {
        return "throughputOf" + other.name();
    }
}
