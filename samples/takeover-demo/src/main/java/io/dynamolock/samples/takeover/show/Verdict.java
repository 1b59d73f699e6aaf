/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import java.util.ArrayList;
import java.util.List;

/**
 * Outcome of the run.
 *
 * @param ok whether locking was on and kept its promises
 * @param result the last line of the output
 */
record Verdict(boolean ok, String result) {

    private static final String PREFIX = "RESULT: ";

    /** Judges a run with locks, which must have neither problems nor other failures. */
    static Verdict withLocks(Summary summary, List<String> failures) {
        List<String> problems = new ArrayList<>(failures);
        problems.addAll(summary.problems());
        return problems.isEmpty()
                ? new Verdict(true, PREFIX + "OK " + summary.figures())
                : failed(summary.figures(), problems);
    }

    /** Judges a run without locks, which is never ok. */
    static Verdict withoutLocks(Summary summary, List<String> failures) {
        String figures = "sections=%d overlaps=%d".formatted(summary.sections(), summary.overlaps());
        List<String> problems = new ArrayList<>(failures);
        if (summary.overlaps() == 0) {
            problems.add("nothing overlapped: the run was too short to show it");
        }
        return problems.isEmpty() ? new Verdict(false, PREFIX + "OVERLAPS " + figures) : failed(figures, problems);
    }

    private static Verdict failed(String figures, List<String> problems) {
        return new Verdict(false, PREFIX + "FAILED " + figures + " (" + String.join("; ", problems) + ")");
    }
}
