/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The table of guarantees in GUARANTEES.md. */
final class Guarantees {

    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Map<String, List<Path>> SOURCES = sources();
    private static final Pattern TEST =
            Pattern.compile("`(\\w+(?:Tests|Contract|IT)\\.\\w+|SimulationTests|ModelCheckerTests)`");
    private static final Pattern FAULT = Pattern.compile("\\*([^*|]+)\\*");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (?!promise|---)(.*)\\|\\s*$");

    /**
     * One guarantee.
     *
     * @param promise its text
     * @param tests its tests, each {@code Class.method} or a class with one main test
     * @param faults the faults that these tests must detect
     */
    record Row(String promise, List<String> tests, List<String> faults) {}

    /** A fault and its row. */
    record Tie(Mutant mutant, Row row) {

        @Override
        public String toString() {
            return mutant + ": " + row.promise();
        }
    }

    private Guarantees() {}

    static String page() {
        return text(Path.of("GUARANTEES.md"));
    }

    static List<Row> rows() {
        String page = page();
        String promises = page.substring(page.indexOf("## Promises"), page.indexOf("## Verification"));
        return ROW.matcher(promises)
                .results()
                .map(row -> new Row(
                        row.group(1).substring(0, row.group(1).indexOf(" | ")),
                        found(TEST, row.group(1)).map(test -> test.group(1)).toList(),
                        found(FAULT, row.group(1)).map(fault -> fault.group(1)).toList()))
                .toList();
    }

    private static Stream<MatchResult> found(Pattern pattern, String text) {
        return pattern.matcher(text).results();
    }

    static Stream<Tie> ties() {
        return rows().stream()
                .flatMap(row -> MutantTests.all()
                        .filter(mutant -> row.faults().contains(mutant.fault()))
                        .map(mutant -> new Tie(mutant, row)));
    }

    /** Returns the source of a test class that has the given test. */
    static Path sourceOf(String test) {
        String type = test.substring(0, test.indexOf('.'));
        Pattern method = Pattern.compile(
                "@(?:Test|ParameterizedTest|RepeatedTest)\\b(?:(?!\n\n).)*?\\bvoid " + test.substring(type.length() + 1)
                        + "\\(",
                Pattern.DOTALL);
        for (Path source : SOURCES.getOrDefault(type + ".java", List.of())) {
            if (method.matcher(text(source)).find()) {
                return source;
            }
        }
        throw new AssertionError("There is no test " + test);
    }

    /** The files of all source roots, by their names. */
    private static Map<String, List<Path>> sources() {
        return Stream.of("lock-core", "lock-spring-boot-autoconfigure")
                .flatMap(module -> files(ROOT.resolve(module).resolve("src")))
                .collect(Collectors.groupingBy(file -> file.getFileName().toString()));
    }

    private static Stream<Path> files(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.toList().stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
