/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** Gross regressions, which show on any machine: ratios and counts only. */
final class Gates {

    /**
     * A figure and its bound.
     *
     * @param text both
     * @param passed whether the figure is within the bound
     */
    record Gate(String text, boolean passed) {}

    private final Results results;
    private final List<Gate> gates = new ArrayList<>();

    private Gates(Results results) {
        this.results = results;
    }

    /** Returns the gates of a scenario. Without figures of this library, there is none. */
    static List<Gate> of(Results results) {
        Gates gates = new Gates(results);
        if (results.has(Peer.DYNAMOLOCK)) {
            gates.check();
        }
        return gates.gates;
    }

    private void check() {
        switch (results.experiment().id()) {
            case "pairs" -> {
                atLeast("throughput, of the floor's", median(SideBySide.ratioTo(Peer.FLOOR)), 0.5);
                atLeast(
                        "throughput, of the same requests' by hand",
                        median(SideBySide.ratioTo(Peer.SAME_REQUESTS)),
                        0.8);
                atMost("requests per pair", median("requests"), 2.05);
            }
            case "hand-overs" -> atMost("requests per acquisition", median("requests"), 2.2);
            case "turns" -> {
                // Not their rate: it is a third on a busy machine
                atLeast("changes of holder, of the turns", median("changes") / median("turnsPerSecond"), 0.5);
                atLeast("fewest turns, of the most", median("fewest") / median("most"), 0.4);
            }
            case "keep-many" -> {
                atMost("lost locks", median("lost"), 0);
                // 1,000 locks share the heap of the renewals in flight: on a slow machine 24 of them, some 60 kB each
                atMost("heap per lock in bytes", median("heapBytes"), 4_096);
            }
            default -> {}
        }
    }

    private double median(String key) {
        return results.median(Peer.DYNAMOLOCK, key);
    }

    private void atLeast(String what, double value, double bound) {
        add(what, value, "at least", bound, value >= bound);
    }

    private void atMost(String what, double value, double bound) {
        add(what, value, "at most", bound, value <= bound);
    }

    private void add(String what, double value, String relation, double bound, boolean passed) {
        gates.add(new Gate("%s: %.2f, should be %s %.2f".formatted(what, value, relation, bound), passed));
    }
}
