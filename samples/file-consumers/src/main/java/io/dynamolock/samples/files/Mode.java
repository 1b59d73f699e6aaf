/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.files;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A run of the sample, and what it must show. */
enum Mode {
    FENCED("", true, true, "each line is stored exactly once, and the late write was rejected"),
    WITHOUT_FENCING(
            "--without-fencing", true, false, "as expected without fencing, the late write stored a line again"),
    WITHOUT_LOCKS("--without-locks", false, true, "as expected without locks, lines are stored more than once");

    final String option;
    final boolean locks;
    final boolean fencing;
    private final String expected;

    Mode(String option, boolean locks, boolean fencing, String expected) {
        this.option = option;
        this.locks = locks;
        this.fencing = fencing;
        this.expected = expected;
    }

    /**
     * Compares what was stored with what must be.
     *
     * @param lines all lines of all files
     * @param late the line that the paused consumer was about to store
     * @param rejections how many writes were rejected
     * @param stored the lines that were stored
     * @return the last line of the output
     */
    String result(List<String> lines, String late, long rejections, List<String> stored) {
        List<String> extra = new ArrayList<>(stored);
        lines.forEach(extra::remove);
        boolean complete = new HashSet<>(stored).equals(Set.copyOf(lines));
        boolean asExpected = switch (this) {
            case FENCED -> extra.isEmpty() && rejections == 1;
            case WITHOUT_FENCING -> extra.equals(List.of(late));
            case WITHOUT_LOCKS -> extra.contains(late);
        };
        String verdict = complete && asExpected ? "OK: " + expected : "FAILED";
        String counts = "%d lines, %d stored".formatted(lines.size(), stored.size());
        return "RESULT: " + verdict + ": " + counts + (extra.isEmpty() ? "" : ", again: " + extra);
    }
}
