/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Result of a history: the first violated invariant, if any, and the rare paths it reached. */
final class SimVerdict {

    /** A violation, with the number of its invariant. */
    record Violation(int invariant, String text) {}

    private final SimScheduler scheduler;
    private final SimTrace trace;
    private final Map<SimSometimes, Integer> reached = new EnumMap<>(SimSometimes.class);
    private @Nullable Violation violation;

    SimVerdict(SimScheduler scheduler, SimTrace trace) {
        this.scheduler = scheduler;
        this.trace = trace;
    }

    void broken(int invariant, String text) {
        if (violation == null && !scheduler.isStopping()) {
            violation = new Violation(invariant, text);
            trace.note(0, "VIOLATION " + invariant, text);
            scheduler.wakeMain();
        }
    }

    @Nullable
    Violation violation() {
        return violation;
    }

    void reached(SimSometimes path) {
        if (!scheduler.isStopping()) {
            reached.merge(path, 1, Integer::sum);
        }
    }

    Map<SimSometimes, Integer> reached() {
        return reached;
    }
}
