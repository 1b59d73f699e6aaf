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
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Samples use the library as applications do; on which modules they may depend is a rule of their parent's pom. */
class SampleDependencyTests {

    private static final Pattern PACKAGE = Pattern.compile("(?m)^package (io\\.dynamolock(?!\\.samples\\.)[^;]*);");
    private static final Pattern INTERNAL =
            Pattern.compile("(io\\.dynamolock\\.(?:time\\.(?!TestClock\\b)|spring\\.interceptor\\.)[\\w.*]+)");

    @Test
    void samplesUseNoInternals() throws IOException {
        assertThat(found(INTERNAL)).isEmpty();
    }

    /** Otherwise they could use what is package-private. */
    @Test
    void samplesAddNoClassToThePackagesOfTheLibrary() throws IOException {
        assertThat(found(PACKAGE)).isEmpty();
    }

    private static List<String> found(Pattern pattern) throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("../samples"))) {
            List<Path> sources = files.filter(file -> file.toString().matches(".*/src/.*\\.(java|kt)"))
                    .toList();
            assertThat(sources).hasSizeGreaterThan(20);
            return sources.stream()
                    .flatMap(file -> pattern.matcher(read(file))
                            .results()
                            .map((MatchResult match) -> file + ": " + match.group(1)))
                    .toList();
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
