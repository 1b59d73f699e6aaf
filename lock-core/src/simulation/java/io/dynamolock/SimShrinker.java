/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** Shrinks a failing history: replays it with fewer faults as long as it violates the same invariant. */
final class SimShrinker {

    private static final int LINES = 150;

    private final long seed;
    private final SimOptions options;
    private SimResult best;

    private SimShrinker(long seed, SimOptions options) {
        this.seed = seed;
        this.options = options;
        this.best = SimRun.replay(seed, options);
    }

    /** Describes the violation, the necessary faults, and the trace. */
    static String explain(long seed, SimOptions options) {
        SimShrinker shrinker = new SimShrinker(seed, options);
        if (shrinker.best.violation() == null) {
            return "seed " + seed + " breaks nothing";
        }
        shrinker.shrink();
        return shrinker.text();
    }

    private void shrink() {
        Set<SimFaults.Occurrence> leftOut = new HashSet<>(options.leftOut());
        Set<SimFault> kinds = new LinkedHashSet<>();
        best.faults().forEach(fault -> kinds.add(fault.kind()));
        for (SimFault kind : kinds) {
            tryWithout(leftOut, allOf(kind));
        }
        for (SimFaults.Occurrence one : List.copyOf(best.faults())) {
            tryWithout(leftOut, List.of(one));
        }
    }

    private static List<SimFaults.Occurrence> allOf(SimFault kind) {
        List<SimFaults.Occurrence> all = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            all.add(new SimFaults.Occurrence(kind, i));
        }
        return all;
    }

    private void tryWithout(Set<SimFaults.Occurrence> leftOut, List<SimFaults.Occurrence> more) {
        Set<SimFaults.Occurrence> without = new HashSet<>(leftOut);
        without.addAll(more);
        SimResult result = SimRun.replay(seed, options.without(without));
        boolean same = result.violation() != null
                && result.violation().invariant()
                        == Objects.requireNonNull(best.violation()).invariant();
        if (same) {
            leftOut.addAll(more);
            best = result;
        }
    }

    private String text() {
        StringBuilder text = new StringBuilder("%nseed %d breaks promise %d: %s%n"
                .formatted(
                        seed,
                        Objects.requireNonNull(best.violation()).invariant(),
                        best.violation().text()));
        text.append("with these faults: ").append(best.faults()).append(System.lineSeparator());
        text.append("again: ./mvnw -pl lock-core test -Dtest=SimulationTests -Dsim.seed=%d%n".formatted(seed));
        List<String> lines = best.lines();
        lines.subList(Math.max(0, lines.size() - LINES), lines.size())
                .forEach(line -> text.append(line).append(System.lineSeparator()));
        return text.toString();
    }
}
