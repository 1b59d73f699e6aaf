/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import io.dynamolock.samples.takeover.show.Section.End;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Evaluates the journals against the promises of locks.
 *
 * @param locks one history per lock
 * @param unfinished sections without a known end
 * @param takeover from the kill to the next section of the same lock; null if there was none
 * @param bound how long that may take
 */
record Summary(
        List<LockHistory> locks, long unfinished, @Nullable Duration takeover, Duration bound) {

    /** Summarizes events. The killed worker's section of the given lock must be taken over. */
    static Summary of(List<Event> ordered, String lock, Duration bound) {
        List<Section> sections = Section.of(ordered);
        List<LockHistory> locks = sections.stream()
                .collect(Collectors.groupingBy(Section::lock, TreeMap::new, Collectors.toList()))
                .entrySet()
                .stream()
                .map(entry -> new LockHistory(entry.getKey(), entry.getValue()))
                .toList();
        long unfinished = sections.stream()
                .filter(section -> section.end() == End.UNKNOWN)
                .count();
        return new Summary(locks, unfinished, takeover(sections, lock), bound);
    }

    private static @Nullable Duration takeover(List<Section> sections, String lock) {
        return sections.stream()
                .filter(killed -> killed.end() == End.KILLED && killed.lock().equals(lock))
                .flatMap(killed -> sections.stream()
                        .filter(next -> next.lock().equals(lock) && !next.from().isBefore(killed.to()))
                        .limit(1)
                        .map(next -> Duration.between(killed.to(), next.from())))
                .findFirst()
                .orElse(null);
    }

    int sections() {
        return locks.stream().mapToInt(history -> history.sections().size()).sum();
    }

    int overlaps() {
        return locks.stream().mapToInt(LockHistory::overlaps).sum();
    }

    boolean tokensIncrease() {
        return locks.stream().allMatch(LockHistory::tokensIncrease);
    }

    /** Returns what breaks the promise; empty if nothing does. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (sections() == 0) {
            problems.add("no section ran");
        }
        if (overlaps() > 0) {
            problems.add("sections of one lock overlapped");
        }
        if (!tokensIncrease()) {
            problems.add("a token was not higher than the one before");
        }
        if (unfinished > 0) {
            problems.add("a section did not end regularly");
        }
        if (takeover == null) {
            problems.add("the killed worker's lock was not taken over");
        } else if (takeover.compareTo(bound) > 0) {
            problems.add("the takeover came late");
        }
        return problems;
    }

    /** Returns a table for readers. */
    List<String> lines(boolean withTokens) {
        List<String> lines = new ArrayList<>();
        lines.add(row("lock", "sections", "overlaps", withTokens ? "tokens" : ""));
        for (LockHistory history : locks) {
            String tokens = history.tokensIncrease() ? "increasing" : "NOT INCREASING";
            lines.add(row(history.lock(), history.sections().size(), history.overlaps(), withTokens ? tokens : ""));
        }
        return lines;
    }

    private static String row(Object lock, Object sections, Object overlaps, Object tokens) {
        return "%-16s %8s  %8s  %s".formatted(lock, sections, overlaps, tokens).stripTrailing();
    }

    /** Returns machine-readable figures. */
    String figures() {
        return "sections=%d overlaps=%d tokens=%s takeover=%s"
                .formatted(sections(), overlaps(), tokensIncrease() ? "increasing" : "broken", seconds(takeover));
    }

    private static String seconds(@Nullable Duration time) {
        return time == null ? "none" : String.format(Locale.ROOT, "%.1fs", time.toMillis() / 1000.0);
    }
}
