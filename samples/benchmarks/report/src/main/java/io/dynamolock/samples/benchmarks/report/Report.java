/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The report: a page in Markdown, and a chart for each scenario. */
final class Report {

    private final Options options;
    private final StringBuilder page = new StringBuilder();

    Report(Options options) {
        this.options = options;
    }

    /** Writes the page with all results so far. */
    Path write(List<Results> all, Map<String, String> others) throws IOException {
        Files.createDirectories(options.output());
        page.setLength(0);
        head();
        summary(Summary.of(all));
        for (Results results : all) {
            section(results);
        }
        others.forEach((title, output) -> line("## " + title + "\n\n```\n" + output.strip() + "\n```\n"));
        if (!options.has("quick")) {
            goals(Goals.of(all, others));
        }
        Path file = options.output().resolve("report.md");
        Files.writeString(file, page);
        return file;
    }

    private void head() throws IOException {
        Prices prices = options.prices();
        line("# Benchmarks of locks on DynamoDB\n");
        line("Measured on " + LocalDate.now(ZoneOffset.UTC)
                + " with DynamoDB Local in a process of its own, on the same"
                + " machine as the processes under test: compare figures of one table, not with those of another machine."
                + " Each run has fresh JVMs; the libraries take turns. Each figure is a median, with minimum and maximum of"
                + " the runs in parentheses.\n");
        line("- machine: " + Machine.describe());
        line("- libraries: "
                + Peer.ALL.stream()
                        .filter(options::selects)
                        .map(peer -> "%s (%s)".formatted(peer.label(), peer.version(options)))
                        .collect(Collectors.joining(", ")));
        line("- floor: two conditional updates with three attributes, written by hand: the least that excludes");
        line("- dynamolock's requests by hand: its attributes and conditions, with a timeout, without the library");
        line("- floor and ShedLock do not wait for a busy lock: where others wait, a loop tries every 100 ms");
        line("- Spring Cloud AWS uses the asynchronous client of the AWS SDK, the others the synchronous one");
        line("- prices: $%s per million write units, $%s per million read units; %s, %s%n"
                .formatted(prices.write(), prices.read(), prices.source(), prices.date()));
    }

    private void summary(List<String> table) {
        if (!table.isEmpty()) {
            line("## Summary\n");
            line("Medians of what follows. An empty cell: the library cannot wait for a lock.\n");
            table.forEach(this::line);
            line("");
        }
    }

    private void section(Results results) throws IOException {
        Experiment experiment = results.experiment();
        line("## " + experiment.title() + "\n");
        line(experiment.description() + "\n");
        if (!results.peers().isEmpty()) {
            String chart = experiment.id() + ".svg";
            Charts.write(results, options.output().resolve(chart));
            line("![%s](%s)%n".formatted(experiment.metrics().get(0).label(), chart));
            table(results);
        }
        results.failures()
                .forEach((peer, failure) -> line("- %s failed: %s%n"
                        .formatted(peer.label(), failure.lines().findFirst().orElse(""))));
    }

    private void table(Results results) {
        List<Metric> metrics = results.experiment().metrics();
        row("library", metrics.stream().map(Metric::label).toList());
        row("---", metrics.stream().map(metric -> "---:").toList());
        for (Peer peer : results.peers()) {
            row(
                    peer.label(),
                    metrics.stream()
                            .map(metric -> text(results.of(peer, metric), metric))
                            .toList());
        }
        line("");
    }

    private void goals(List<Goals.Goal> goals) {
        if (goals.isEmpty()) {
            return;
        }
        line("## Goals\n");
        row("goal", List.of("measured", "met"));
        row("---", List.of("---:", "---"));
        goals.forEach(goal -> row(goal.text(), List.of(goal.measured(), goal.met() ? "yes" : "no")));
    }

    private static String text(Statistics statistics, Metric metric) {
        String median = metric.text(statistics.median());
        String min = metric.text(statistics.min());
        String max = metric.text(statistics.max());
        return min.equals(max) ? median : "%s (%s–%s)".formatted(median, min, max);
    }

    private void row(String first, List<String> others) {
        List<String> cells = new ArrayList<>(List.of(first));
        cells.addAll(others);
        line("| " + String.join(" | ", cells) + " |");
    }

    private void line(String line) {
        page.append(line).append('\n');
    }
}
