/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The main figures in one table, a row for each and a column for each library. README shows it, too. */
final class Summary {

    private static final List<Peer> COLUMNS =
            List.of(Peer.DYNAMOLOCK, Peer.AWSLABS, Peer.SHEDLOCK, Peer.SPRING_CLOUD_AWS, Peer.FLOOR);

    /** A row: a figure of a scenario, or several. */
    private record Row(String title, String scenario, String... keys) {}

    private static final List<Row> ROWS = List.of(
            new Row("four processes ask for one lock in a loop: changes of holder per second", "turns", "changes"),
            new Row("the same: fewest and most turns of a process", "turns", "fewest", "most"),
            new Row("one response of five is lost: free locks reported as busy, %", "lost-answers", "wrongPercent"),
            new Row(
                    "16 threads of one process ask for one lock in a loop: hand-overs to another thread per second",
                    "hand-overs",
                    "handOvers"),
            new Row(
                    "a process waits for a lock for half a minute: write units and read units per minute",
                    "waiting",
                    "writeUnits",
                    "readUnits"),
            new Row("the same: from release to acquired, ms", "waiting", "latency"),
            new Row("the same, when the lock was held before for as long, ms", "waiting", "latencyAgain"),
            new Row("free names, 5 ms a request: pairs of acquire and release per second", "pairs-afar", "perSecond"),
            new Row("free names, no latency: pairs per second", "pairs", "perSecond"),
            new Row("start of a JVM to its first lock, ms", "first", "millis"));

    private Summary() {}

    /** Returns the lines of the table: medians of the scenarios that were measured. */
    static List<String> of(List<Results> all) {
        List<String> rows = ROWS.stream()
                .flatMap(row -> Results.ofDynamolock(all, row.scenario()).map(results -> line(row, results)).stream())
                .toList();
        return rows.isEmpty()
                ? rows
                : Stream.concat(Stream.of(heading(), "| --- |" + " ---: |".repeat(COLUMNS.size())), rows.stream())
                        .toList();
    }

    private static String heading() {
        return line("", COLUMNS.stream().map(Peer::label));
    }

    private static String line(Row row, Results results) {
        return line(row.title(), COLUMNS.stream().map(peer -> cell(row, results, peer)));
    }

    private static String line(String first, Stream<String> others) {
        return Stream.concat(Stream.of(first), others).collect(Collectors.joining(" | ", "| ", " |"));
    }

    /** Returns nothing for a library that the scenario does not concern. */
    private static String cell(Row row, Results results, Peer peer) {
        return results.has(peer)
                ? Arrays.stream(row.keys())
                        .map(key -> results.median(peer, results.experiment().metric(key)))
                        .collect(Collectors.joining(" / "))
                : "";
    }
}
