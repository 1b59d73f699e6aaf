/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The options of the command, each {@code --name} or {@code --name=value}. */
final class Options {

    static final String HELP = """
            --quick               two minutes, without most of the other libraries; fails on gross regressions
            --only=id,id          some of the scenarios
            --peers=module,module some of the libraries
            --rounds=n            runs of each scenario
            --output=folder       of the report; target/benchmarks by default
            --jdk=home            JDK 21 or later for virtual threads; JAVA_HOME_25_X64 or one in /usr/lib/jvm by default
            --write-price=dollars of a million write units, --read-price=dollars of a million read units
            --price-source=text   where these prices are from, --price-date=text when they were valid
            """;

    private static final Set<String> NAMES = Set.of(
            "quick",
            "only",
            "peers",
            "rounds",
            "output",
            "jdk",
            "write-price",
            "read-price",
            "price-source",
            "price-date",
            "module",
            "build",
            "help");

    private final Map<String, String> values = new TreeMap<>();

    Options(String... args) {
        for (String arg : args) {
            String[] parts = arg.replaceFirst("^--", "").split("=", 2);
            if (!arg.startsWith("--") || !NAMES.contains(parts[0])) {
                throw new IllegalArgumentException("unknown option: " + arg);
            }
            values.put(parts[0], parts.length == 2 ? parts[1] : "");
        }
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    /** Rejects names in the value of an option that select nothing. */
    void checkNames(String option, List<String> valid) {
        if (has(option) && !valid.containsAll(names(option))) {
            throw new IllegalArgumentException(
                    "--%s=%s: valid are %s".formatted(option, text(option, ""), String.join(", ", valid)));
        }
    }

    Optional<Integer> rounds() {
        return Optional.of("rounds")
                .filter(this::has)
                .map(name -> (int) number(name, ""))
                .map(rounds -> {
                    if (rounds < 1) {
                        throw new IllegalArgumentException("--rounds must be at least 1: " + text("rounds", ""));
                    }
                    return rounds;
                });
    }

    boolean selects(Experiment experiment) {
        return selects("only", experiment.id());
    }

    boolean selects(Peer peer) {
        return selects("peers", peer.module());
    }

    private boolean selects(String option, String id) {
        return !has(option) || names(option).contains(id);
    }

    private List<String> names(String option) {
        return List.of(text(option, "").split(",", -1));
    }

    Path output() {
        return Path.of(text("output", build().resolve("benchmarks").toString()));
    }

    Prices prices() {
        return new Prices(
                number("write-price", "0.625"),
                number("read-price", "0.125"),
                text("price-source", "https://aws.amazon.com/dynamodb/pricing/on-demand/, us-east-1"),
                text("price-date", "since 2024-11-01"));
    }

    /** Returns the folder where Maven put what it built from another module of the benchmarks. */
    Path buildFolderOf(String module) {
        Path own = Path.of(text("module", "."));
        return own.resolveSibling(module).resolve(own.relativize(build()));
    }

    private Path build() {
        return Path.of(text("build", "target"));
    }

    /** Returns the home of a JDK with virtual threads, if there is one. */
    Optional<String> jdkWithVirtualThreads() throws IOException {
        String given = text(
                "jdk", Optional.ofNullable(System.getenv("JAVA_HOME_25_X64")).orElse(""));
        if (!given.isEmpty()) {
            return Optional.of(given);
        }
        if (Runtime.version().feature() >= 21) {
            return Optional.of(System.getProperty("java.home"));
        }
        Path installed = Path.of("/usr/lib/jvm");
        if (!Files.isDirectory(installed)) {
            return Optional.empty();
        }
        try (Stream<Path> homes = Files.list(installed)) {
            return homes.filter(home -> home.getFileName().toString().matches(".*-(21|25)-.*"))
                    .filter(home -> Files.exists(home.resolve("bin/java")))
                    .map(Path::toString)
                    .max(String::compareTo);
        }
    }

    private double number(String name, String otherwise) {
        String text = text(name, otherwise);
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException wrong) {
            throw new IllegalArgumentException("--" + name + " must be a number: " + text, wrong);
        }
    }

    private String text(String name, String otherwise) {
        return values.getOrDefault(name, otherwise);
    }
}
