/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.util.ArrayList;
import java.util.List;

/** Gross regressions, which show on any machine: ratios and counts only. */
final class Gates {

    private final List<Results> all;
    private final List<String> failures = new ArrayList<>();

    private Gates(List<Results> all) {
        this.all = all;
    }

    /** Returns what is worse than it may be. */
    static List<String> check(List<Results> all) {
        Gates gates = new Gates(all);
        gates.check();
        return gates.failures;
    }

    private void check() {
        for (Results results : all) {
            results.failures().forEach((peer, failure) -> failures.add(peer.label() + ": " + failure));
        }
        Results.ofDynamolock(all, "pairs").ifPresent(pairs -> {
            atLeast("throughput, of the floor's", pairs.ratio(Peer.DYNAMOLOCK, Peer.FLOOR, "perSecond"), 0.5);
            atMost("requests per pair", pairs.median(Peer.DYNAMOLOCK, "requests"), 2.05);
        });
        Results.ofDynamolock(all, "hand-overs")
                .ifPresent(handOvers ->
                        atMost("requests per hand-over", handOvers.median(Peer.DYNAMOLOCK, "requests"), 2.2));
        Results.ofDynamolock(all, "turns").ifPresent(turns -> {
            // Not their rate: it is a third on a busy machine
            double changes = turns.median(Peer.DYNAMOLOCK, "changes");
            atLeast("changes of holder, of the turns", changes / turns.median(Peer.DYNAMOLOCK, "turnsPerSecond"), 0.5);
            double fewest = turns.median(Peer.DYNAMOLOCK, "fewest");
            atLeast("fewest turns, of the most", fewest / turns.median(Peer.DYNAMOLOCK, "most"), 0.4);
        });
        Results.ofDynamolock(all, "keep-many").ifPresent(keep -> {
            atMost("lost locks", keep.median(Peer.DYNAMOLOCK, "lost"), 0);
            // 1,000 locks share the heap of the renewals in flight: on a slow machine 24 of them, some 60 kB each
            atMost("heap per lock in bytes", keep.median(Peer.DYNAMOLOCK, "heapBytes"), 4_096);
        });
    }

    private void atLeast(String what, double value, double bound) {
        check(what, value, "at least", bound, value >= bound);
    }

    private void atMost(String what, double value, double bound) {
        check(what, value, "at most", bound, value <= bound);
    }

    private void check(String what, double value, String relation, double bound, boolean holds) {
        String text = "%s: %.2f, should be %s %.2f".formatted(what, value, relation, bound);
        System.out.println((holds ? "ok: " : "FAILED: ") + text);
        if (!holds) {
            failures.add(text);
        }
    }
}
