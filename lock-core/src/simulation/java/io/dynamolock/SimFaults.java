/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Decides which faults occur in one history. Each kind of fault has its own random stream, so that the others occur
 * unchanged when one is left out.
 */
final class SimFaults {

    /** One fault of a history: its kind, and its index among faults of this kind. */
    record Occurrence(SimFault kind, int number) {}

    private final Set<SimFault> kinds = EnumSet.noneOf(SimFault.class);
    private final Set<Occurrence> leftOut;
    private final Map<SimFault, SplittableRandom> streams = new EnumMap<>(SimFault.class);
    private final Map<SimFault, Integer> counts = new EnumMap<>(SimFault.class);
    private final List<Occurrence> happened = new ArrayList<>();
    private boolean stopped;
    private boolean brokenTime;
    private final Set<String> changedRows = new HashSet<>();

    /** Draws the kinds of faults of one history. */
    SimFaults(SplittableRandom random, Set<Occurrence> leftOut) {
        this.leftOut = leftOut;
        double some = random.nextDouble() < 0.1 ? 0 : 0.1 + 0.4 * random.nextDouble();
        boolean breaking = random.nextDouble() < 0.15;
        for (SimFault kind : SimFault.values()) {
            streams.put(kind, random.split());
            double share = kind.breaksAssumption() ? (breaking ? 0.3 : 0) : some;
            if (random.nextDouble() < share) {
                kinds.add(kind);
            }
        }
    }

    /** Replaces the kinds of faults of this history. */
    void replace(Set<SimFault> others) {
        kinds.clear();
        kinds.addAll(others);
    }

    boolean has(SimFault kind) {
        return kinds.contains(kind);
    }

    Set<SimFault> kinds() {
        return kinds;
    }

    /** Stops all further faults. */
    void stop() {
        stopped = true;
    }

    boolean isStopped() {
        return stopped;
    }

    /** Returns whether a fault occurs at this point. */
    boolean happens(SimFault kind, double probability) {
        if (stopped || !kinds.contains(kind) || chance(kind).nextDouble() >= probability) {
            return false;
        }
        Occurrence one = new Occurrence(kind, counts.merge(kind, 1, Integer::sum) - 1);
        if (leftOut.contains(one)) {
            return false;
        }
        happened.add(one);
        brokenTime |= kind.breaksAssumption() && !kind.changesRow();
        return true;
    }

    /** Returns the random source for details of one kind. */
    SplittableRandom chance(SimFault kind) {
        return Objects.requireNonNull(streams.get(kind));
    }

    List<Occurrence> happened() {
        return happened;
    }

    /** Records that the row of a lock was written outside the library. */
    void changed(String name) {
        changedRows.add(name);
    }

    /** Returns whether a fault has occurred under which exclusion is not guaranteed for this lock. */
    boolean brokeAssumption(String name) {
        return brokenTime || changedRow(name);
    }

    /** Returns whether clocks have differed by more than allowed. */
    boolean brokeTime() {
        return brokenTime;
    }

    boolean changedRow(String name) {
        return changedRows.contains(name);
    }
}
