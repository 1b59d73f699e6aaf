/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import io.dynamolock.samples.benchmarks.report.Gates.Gate;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs all scenarios with all libraries, and writes the report. */
public final class Benchmarks {

    private static final int ATTEMPTS = 3;
    private static final Duration LONGEST = Duration.ofMinutes(20);
    private static final String LIBRARY = "io.dynamolock.samples.benchmarks.";

    private final Options options;
    private final Report report;
    private final List<Results> all = new ArrayList<>();
    private final Map<String, String> others = new LinkedHashMap<>();

    private Benchmarks(Options options) {
        this.options = options;
        this.report = new Report(options);
    }

    /**
     * Runs the benchmarks.
     *
     * @param args options; {@code --help} lists them
     * @throws Exception if a process cannot be started, or the report cannot be written
     */
    public static void main(String[] args) throws Exception {
        Options options;
        List<Experiment> experiments;
        try {
            options = new Options(args);
            options.prices();
            options.checkNames("peers", Peer.ALL.stream().map(Peer::module).toList());
            experiments = new Experiments(options).all();
        } catch (IllegalArgumentException wrong) {
            System.err.print(wrong.getMessage() + System.lineSeparator() + Options.HELP);
            System.exit(2);
            return;
        }
        if (options.has("help")) {
            System.out.print(Options.HELP);
            return;
        }
        if (!new Benchmarks(options).measure(experiments)) {
            System.exit(1);
        }
    }

    /** Returns whether no gate of a quick run has failed. */
    private boolean measure(List<Experiment> experiments) throws Exception {
        boolean passed = true;
        for (Experiment experiment : experiments) {
            passed &= passes(experiment);
        }
        if (!options.has("quick") && !options.has("only")) {
            System.out.println("locked call, start of an application");
            others.put(
                    "A locked call without its requests (JMH)",
                    from("Benchmark ", runAlone("org.openjdk.jmh.Main", "LockedCall")));
            others.put(
                    "Start of an application with the starter",
                    from("application startup", runAlone(LIBRARY + "StartUp")));
        }
        System.out.println("report: " + report.write(all, others));
        return passed;
    }

    /** Measures a failed gate again: a busy machine spoils a measurement, a gross regression spoils each. */
    private boolean passes(Experiment experiment) throws Exception {
        for (int attempt = 1; attempt <= ATTEMPTS; attempt++) {
            Results results = new Results(experiment);
            measure(experiment, results);
            all.removeIf(earlier -> earlier.experiment() == experiment);
            all.add(results);
            report.write(all, others); // what is there if a later scenario fails
            if (!options.has("quick") || passes(results)) {
                return true;
            }
            System.out.printf("%s: failed in attempt %d of %d%n", experiment.id(), attempt, ATTEMPTS);
        }
        return false;
    }

    private static boolean passes(Results results) {
        boolean passed = results.failures().isEmpty();
        for (Gate gate : Gates.of(results)) {
            System.out.println((gate.passed() ? "ok: " : "FAILED: ") + gate.text());
            passed &= gate.passed();
        }
        return passed;
    }

    private void measure(Experiment experiment, Results results) throws Exception {
        try (Lab lab = new Lab(options)) {
            // DynamoDB Local gets warm before the first library
            Lab.resultOf(lab.start(
                    Peer.FLOOR, "pairs", "threads=1", "warm-up=0", "seconds=" + (options.has("quick") ? 2 : 5)));
            for (int round = 1; round <= experiment.rounds(); round++) {
                for (Peer peer : experiment.peers()) {
                    if (options.selects(peer)) {
                        measure(experiment, results, lab, peer, round);
                    }
                }
            }
        }
    }

    private static void measure(Experiment experiment, Results results, Lab lab, Peer peer, int round) {
        String what = "%s, round %d of %d, %s".formatted(experiment.id(), round, experiment.rounds(), peer.label());
        try {
            Sample sample = experiment.trial().run(lab, peer);
            results.add(peer, sample);
            Metric metric = experiment.metrics().get(0);
            double value = Statistics.of(sample.values(metric.key())).median() / metric.divisor();
            System.out.printf("%s: %.2f %s%n", what, value, metric.label());
        } catch (Exception failure) {
            System.out.println(what + ": " + failure);
            results.addFailure(peer, failure);
        }
    }

    /** Returns the result of a measurement, which begins with a line of its own, without the log before it. */
    static String from(String beginning, String output) {
        return output.substring(output.lastIndexOf("\n" + beginning) + 1);
    }

    private String runAlone(String mainClass, String... arguments) throws IOException, InterruptedException {
        String classPath = Peer.classPath(options, "library");
        try (Jvm jvm =
                Jvm.start(System.getProperty("java.home"), classPath, List.of(), mainClass, List.of(arguments))) {
            return jvm.awaitEnd(LONGEST);
        }
    }
}
