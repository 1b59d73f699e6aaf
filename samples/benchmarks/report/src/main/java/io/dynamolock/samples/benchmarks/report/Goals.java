/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The goals of this library, with what a full run has measured. They fail no run: on a busy machine, or one with another
 * number of cores, some are missed. {@link Gates} fail a quick run.
 */
final class Goals {

    /**
     * A goal.
     *
     * @param text the figure, and its bound
     * @param measured the figure of this run
     * @param met whether it is within the bound
     */
    record Goal(String text, String measured, boolean met) {}

    /** The lease, the allowed skew, a quarter of a second for the clock of each process, and one for the takeover. */
    private static final double TAKEOVER_MILLIS = 3_000 + 1_000 + 3 * 250;

    private static final Pattern LOCKED_CALL = Pattern.compile("LockedCall\\.(\\w+) +avgt +\\d+ +([\\d.]+)");
    private static final Pattern START = Pattern.compile("(-?\\d+) ms more, (-?\\d+) requests more");

    private final List<Results> all;
    private final List<Goal> goals = new ArrayList<>();

    private Goals(List<Results> all) {
        this.all = all;
    }

    /**
     * Returns the goals whose figures were measured.
     *
     * @param all the scenarios
     * @param others what other measurements printed, by their titles
     */
    static List<Goal> of(List<Results> all, Map<String, String> others) {
        Goals goals = new Goals(all);
        List.of("pairs", "pairs-8", "pairs-32").forEach(goals::pairs);
        goals.with("hand-overs", goals::handOvers);
        goals.with("turns", goals::turns);
        goals.with("waiting", goals::waiting);
        goals.with("takeover", goals::takeover);
        goals.with("keep-many", goals::keepMany);
        String printed = String.join("\n", others.values());
        goals.lockedCall(printed);
        goals.start(printed);
        return goals.goals;
    }

    private void with(String id, Consumer<Results> goal) {
        Results.ofDynamolock(all, id).ifPresent(goal);
    }

    private void pairs(String id) {
        with(id, pairs -> {
            if (pairs.has(Peer.FLOOR)) {
                atLeast(id + ": throughput, of the floor's", ratio(pairs, Peer.FLOOR, "perSecond"), 0.92, 2);
                atMost(id + ": client CPU, of the floor's", ratio(pairs, Peer.FLOOR, "cpuMicros"), 1.15, 2);
            }
            if (id.equals("pairs")) { // what several threads allocate is not measured
                atMost(id + ": allocated, kB", median(pairs, "allocatedBytes") / 1_000, 150, 0);
            }
            Peer forLocks = Peer.DYNAMOLOCK_CLIENT_FOR_LOCKS;
            if (pairs.has(Peer.SAME_REQUESTS) && pairs.has(forLocks)) {
                double throughput = pairs.ratio(forLocks, Peer.SAME_REQUESTS, "perSecond");
                atLeast(id + ": throughput, of the same requests' by hand", throughput, 0.97, 2);
                double cpu = pairs.ratio(forLocks, Peer.SAME_REQUESTS, "cpuMicros");
                atMost(id + ": client CPU, of the same requests' by hand", cpu, 1.05, 2);
            }
        });
    }

    private void handOvers(Results handOvers) {
        best(handOvers, "handOvers")
                .ifPresent(best -> atLeast(
                        "hand-overs per second, of the best other library's",
                        median(handOvers, "handOvers") / best,
                        1,
                        2));
        atMost("hand-overs: requests each", median(handOvers, "requests"), 2.05, 2);
    }

    /** Returns the best figure of another library. The floor is none. */
    private static Optional<Double> best(Results results, String key) {
        return results.peers().stream()
                .filter(peer -> !Peer.OVERHEAD.contains(peer))
                .map(peer -> results.median(peer, key))
                .max(Double::compare);
    }

    private void turns(Results turns) {
        atLeast("turns: changes of holder per second", median(turns, "changes"), 5, 1);
        atLeast("turns: fewest of a process, of the most", median(turns, "fewest") / median(turns, "most"), 0.5, 2);
    }

    private void waiting(Results waiting) {
        atMost("waiting: write units for each of two waits a minute", median(waiting, "writeUnits") / 2, 2, 1);
        atMost("waiting: read units per minute", median(waiting, "readUnits"), 40, 1);
        for (String key : List.of("latency", "latencyAgain")) {
            String which = key.equals("latency") ? "first" : "second";
            Statistics latency = waiting.of(Peer.DYNAMOLOCK, new Metric(key, "ms", 0));
            atMost("waiting, the %s time: release to acquired, ms".formatted(which), latency.median(), 250, 0);
            atMost("waiting, the %s time: longest, ms".formatted(which), latency.max(), 1_000, 0);
        }
    }

    private void takeover(Results takeover) {
        for (String key : List.of("waiting", "fresh")) {
            String who = key.equals("waiting") ? "a waiting process" : "one started later";
            atMost("takeover by %s, ms".formatted(who), median(takeover, key), TAKEOVER_MILLIS, 0);
        }
    }

    private void keepMany(Results keep) {
        atMost("keep-many: lost locks", median(keep, "lost"), 0, 0);
        atMost("keep-many: client CPU, cores", median(keep, "cores"), 1, 2);
        atMost("keep-many: heap per lock, bytes", median(keep, "heapBytes"), 2_048, 0);
    }

    private void lockedCall(String printed) {
        Map<String, Double> nanos = new HashMap<>();
        LOCKED_CALL.matcher(printed).results().forEach(call -> nanos.put(call.group(1), Double.valueOf(call.group(2))));
        if (nanos.containsKey("annotated") && nanos.containsKey("unlocked")) {
            double more = (nanos.get("annotated") - nanos.get("unlocked")) / 1_000;
            atMost("a locked call without its requests, µs", more, 5, 1);
        }
    }

    private void start(String printed) {
        Matcher start = START.matcher(printed);
        if (start.find()) {
            atMost("start of an application, ms more", Double.parseDouble(start.group(1)), 150, 0);
            atMost("start of an application, requests more", Double.parseDouble(start.group(2)), 1, 0);
        }
    }

    private static double median(Results results, String key) {
        return results.median(Peer.DYNAMOLOCK, key);
    }

    private static double ratio(Results results, Peer to, String key) {
        return results.ratio(Peer.DYNAMOLOCK, to, key);
    }

    private void atLeast(String what, double value, double bound, int digits) {
        add(what, value, "at least", bound, digits, value >= bound);
    }

    private void atMost(String what, double value, double bound, int digits) {
        add(what, value, "at most", bound, digits, value <= bound);
    }

    private void add(String what, double value, String relation, double bound, int digits, boolean met) {
        String number = "%,." + digits + "f";
        String limit = String.format(Locale.ROOT, number, bound);
        goals.add(new Goal(what + ": " + relation + " " + limit, String.format(Locale.ROOT, number, value), met));
    }
}
