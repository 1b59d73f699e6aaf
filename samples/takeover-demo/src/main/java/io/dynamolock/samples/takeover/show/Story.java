/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import io.dynamolock.ReleaseOutcome;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Prints events for a reader: one line for each change, none for repetitions. */
final class Story {

    private final PrintStream out;
    private final Instant start;
    private final boolean locks;

    private final Map<String, Event> holders = new HashMap<>();
    private final Map<String, Set<String>> inside = new HashMap<>();
    private final Map<String, String> printedWaiting = new HashMap<>();
    private final Set<String> killed = new HashSet<>();

    Story(PrintStream out, Instant start, boolean locks) {
        this.out = out;
        this.start = start;
        this.locks = locks;
    }

    void print(Event event) {
        switch (event.kind()) {
            case WAITING -> waiting(event);
            case ACQUIRED -> acquired(event);
            case ENTERED -> entered(event);
            case RENEWED -> renewed(event);
            case LEFT -> left(event);
            case RELEASED -> released(event);
            case LOST -> line(event, "LOST the lock: " + event.detail());
            case GAVE_UP -> line(event, "gave up: still busy after its wait time");
            case KILLED -> killed(event);
            case ENDED -> line(event, "process ended, " + event.detail());
            case SAID -> line(event, event.detail());
        }
    }

    private void waiting(Event event) {
        Event holder = holders.get(event.lock());
        if (holder == null) {
            return;
        }
        String text = killed.contains(holder.worker())
                ? "busy: %s is dead, its lease has not expired yet".formatted(holder.worker())
                : "busy: held by %s".formatted(holder.worker());
        if (!text.equals(printedWaiting.put(event.worker() + event.lock(), text))) {
            line(event, text);
        }
    }

    private void acquired(Event event) {
        Event before = holders.put(event.lock(), event);
        printedWaiting.remove(event.worker() + event.lock());
        if (before != null && killed.contains(before.worker())) {
            line(event, "TOOK OVER from %s, token %d > %d".formatted(before.worker(), event.token(), before.token()));
        } else {
            line(event, "acquired, token " + event.token() + event.detail());
        }
    }

    private void entered(Event event) {
        Set<String> others = workersIn(event.lock());
        if (!others.isEmpty()) {
            line(event, "begins, AND %s HAS NOT ENDED".formatted(String.join(", ", others)));
        } else if (!locks) {
            line(event, "begins");
        }
        others.add(event.worker());
    }

    /** Ignores a renewal that is answered after the work is done. */
    private void renewed(Event event) {
        if (workersIn(event.lock()).contains(event.worker())) {
            line(event, "renewed");
        }
    }

    private void left(Event event) {
        workersIn(event.lock()).remove(event.worker());
        line(event, locks ? "done, releases" : "done");
    }

    private Set<String> workersIn(String lock) {
        return inside.computeIfAbsent(lock, unseen -> new TreeSet<>());
    }

    private void released(Event event) {
        Event holder = holders.get(event.lock());
        if (holder != null && holder.worker().equals(event.worker())) {
            holders.remove(event.lock());
        }
        if (!event.detail().equals(ReleaseOutcome.RELEASED.name())) {
            line(event, "release reported: " + event.detail());
        }
    }

    private void killed(Event event) {
        killed.add(event.worker());
        inside.values().forEach(workers -> workers.remove(event.worker()));
        line(event, "KILLED (SIGKILL) during its work");
    }

    private void line(Event event, String text) {
        double seconds = Duration.between(start, event.at()).toMillis() / 1000.0;
        out.println(String.format(Locale.ROOT, "%7.2f s  %-9s %-15s %s", seconds, event.worker(), event.lock(), text));
    }
}
