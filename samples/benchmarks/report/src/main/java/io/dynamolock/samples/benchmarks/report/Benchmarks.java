/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Runs all scenarios with all libraries, and writes the report. */
public final class Benchmarks {

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
        Benchmarks benchmarks = new Benchmarks(options);
        benchmarks.measure(experiments);
        if (options.has("quick")) {
            List<String> failures = Gates.check(benchmarks.all);
            System.exit(failures.isEmpty() ? 0 : 1);
        }
    }

    private void measure(List<Experiment> experiments) throws Exception {
        for (Experiment experiment : experiments) {
            Results results = new Results(experiment);
            all.add(results);
            measure(experiment, results);
            report.write(all, others); // what is there if a later scenario fails
        }
        if (!options.has("quick") && !options.has("only")) {
            System.out.println("locked call, start of an application");
            others.put("A locked call without its requests (JMH)", runAlone("org.openjdk.jmh.Main", "LockedCall"));
            others.put("Start of an application with the starter", runAlone(LIBRARY + "StartUp"));
        }
        System.out.println("report: " + report.write(all, others));
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

    private String runAlone(String mainClass, String... arguments) throws IOException, InterruptedException {
        String classPath = Peer.classPath(options, "library");
        try (Jvm jvm =
                Jvm.start(System.getProperty("java.home"), classPath, List.of(), mainClass, List.of(arguments))) {
            return jvm.awaitEnd(LONGEST);
        }
    }
}
