/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class ReadmeTests {

    private static final Path JOBS = Path.of("src/main/java/io/dynamolock/samples/quickstart/Jobs.java");
    private static final Path README = Path.of("../../README.md");
    private static final Pattern REGION =
            Pattern.compile("// tag::readme\\[]\\R(.*?)\\h*// end::readme\\[]", Pattern.DOTALL);

    @Test
    void readmeShowsTheJobsAsTheyAreCompiled() throws IOException {
        assumeTrue(Files.exists(README), "the sources stand alone, without the README");
        Matcher region = REGION.matcher(Files.readString(JOBS));
        assertThat(region.find()).isTrue();

        assertThat(Files.readString(README))
                .contains(region.group(1).stripTrailing().stripIndent());
    }
}
