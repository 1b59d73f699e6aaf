/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Source files of all modules stay short enough to be read in one go. */
class SourceSizeTests {

    private static final int LONGEST_MAIN = 300;
    private static final int LONGEST_TEST = 500;
    private static final int WIDEST = 120;
    private static final Pattern COMMENT = Pattern.compile("\\s*(/\\*|\\*|//)");

    @Test
    void filesAreShort() throws IOException {
        List<Path> longer = new ArrayList<>();
        for (Path module : modules()) {
            try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                files.filter(SourceSizeTests::isLonger).forEach(longer::add);
            }
        }

        assertThat(longer)
                .as("files of more than %d lines, or %d lines of tests", LONGEST_MAIN, LONGEST_TEST)
                .isEmpty();
    }

    /** Javadoc is not formatted by a tool; code is. */
    @Test
    void commentsOfThisModuleFitTheWidth() throws IOException {
        List<String> wider = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.readAllLines(file).stream()
                        .filter(line ->
                                line.length() > WIDEST && COMMENT.matcher(line).lookingAt())
                        .forEach(line -> wider.add(file + ": " + line));
            }
        }

        assertThat(wider).as("comments wider than %d characters", WIDEST).isEmpty();
    }

    private static List<Path> modules() throws IOException {
        List<Path> modules = new ArrayList<>();
        for (Path folder : List.of(Path.of(".."), Path.of("../samples"), Path.of("../samples/benchmarks"))) {
            try (Stream<Path> folders = Files.list(folder)) {
                folders.filter(module -> Files.isDirectory(module.resolve("src")))
                        .forEach(modules::add);
            }
        }
        return modules;
    }

    private static boolean isLonger(Path file) {
        if (!file.toString().endsWith(".java")) {
            return false;
        }
        int longest = file.toString().contains("/src/main/") ? LONGEST_MAIN : LONGEST_TEST;
        try (Stream<String> lines = Files.lines(file)) {
            return lines.count() > longest;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
