/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Combined results of many histories. */
final class SimReport {

    private final Map<SimSometimes, Long> reached = new EnumMap<>(SimSometimes.class);
    private final Map<SimFault, Long> faults = new EnumMap<>(SimFault.class);
    private long histories;
    private long operations;
    private long requests;
    private long violations;
    private long hash;
    private final Set<Long> broken = new TreeSet<>();
    private @Nullable SimResult first;

    synchronized void add(SimResult result) {
        histories++;
        operations += result.operations();
        requests += result.requests();
        hash += result.hash() * (2 * result.seed() + 1);
        result.reached().forEach((path, times) -> reached.merge(path, (long) times, Long::sum));
        result.faults().forEach(fault -> faults.merge(fault.kind(), 1L, Long::sum));
        if (result.violation() != null) {
            violations++;
            broken.add(result.seed());
            if (first == null || result.seed() < first.seed()) {
                first = result;
            }
        }
    }

    long histories() {
        return histories;
    }

    long operations() {
        return operations;
    }

    long violations() {
        return violations;
    }

    /** Returns a hash of all traces, independent of the order of histories. */
    long hash() {
        return hash;
    }

    /** The violation with the lowest seed. */
    @Nullable
    SimResult first() {
        return first;
    }

    Map<SimSometimes, Long> reached() {
        return reached;
    }

    String summary(long from, long to) {
        return "simulation: %d histories, %d operations, %d violations%s, seeds %d..%d"
                .formatted(histories, operations, violations, broken.isEmpty() ? "" : " " + broken, from, to);
    }

    String figures() {
        StringBuilder text = new StringBuilder("requests: %,d%nfaults:%n".formatted(requests));
        faults.forEach((kind, times) -> text.append("  %-22s %,d%n".formatted(kind, times)));
        text.append("rare paths:%n".formatted());
        reached.forEach((path, times) -> text.append("  %-30s %,d%n".formatted(path, times)));
        return text.toString();
    }
}
