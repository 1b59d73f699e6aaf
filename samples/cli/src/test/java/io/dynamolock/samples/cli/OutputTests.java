/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.dynamolock.Lease;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Output that cannot be written, where the operating system's messages have another language, too. */
@Timeout(300)
class OutputTests {

    private static final Map<String, String> FRENCH = Map.of("LC_ALL", "C.UTF-8", "LANGUAGE", "fr");

    @TempDir
    private Path folder;

    @Test
    void outputThatCannotBeWrittenIsAnError() throws Exception {
        assumeThat(Path.of("/dev/full")).exists();
        try (CliProcess full = run("exec \"$@\" > /dev/full", Map.of())) {
            assertThat(full.end()).isEqualTo(70);
            assertThat(full.err()).startsWith("dynamolock: the output is incomplete: ");
        }
    }

    @Test
    void readerOfPipeMayHaveSeenEnough() throws Exception {
        try (CliProcess closed = run("(\"$@\"; echo $? >&2) | true", Map.of())) {
            closed.end();

            assertThat(closed.err()).isEqualTo("0\n");
        }
    }

    @Test
    @Tag("proof")
    void closedPipeIsRecognizedInOtherLanguages() throws Exception {
        assumeThat(Path.of("/dev/full")).exists();
        try (CliProcess full = run("exec \"$@\" > /dev/full", FRENCH);
                CliProcess closed = run("(\"$@\"; echo $? >&2) | true", FRENCH)) {
            full.end();
            assumeThat(full.err()).as("the messages of the system are French").doesNotContain("No space left");
            closed.end();

            assertThat(closed.err()).isEqualTo("0\n");
        }
    }

    @Test
    @Tag("proof")
    void tokensHaveTheSameDigitsInEachLanguage() throws Exception {
        try (TestTable table = TestTable.create();
                Lease held = table.locks().acquire("job")) {
            List<String> line = new ArrayList<>(List.of(
                    CliProcess.java(),
                    "-Duser.language=ar",
                    "-Duser.country=EG",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Main.class.getName()));
            line.addAll(List.of(Run.line(TestTable.endpoint(), table, "release", "job", "--lease-id", "other")));
            try (CliProcess release = CliProcess.run(folder, line)) {
                assertThat(release.end()).isEqualTo(70);
                assertThat(release.err()).contains(" with token " + held.fencingToken() + " ");
            }
        }
    }

    private CliProcess run(String script, Map<String, String> environment) throws IOException {
        List<String> line = List.of(
                "sh",
                "-c",
                script,
                "sh",
                CliProcess.java(),
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                "print-policy",
                "--account=123456789012",
                "--region=eu-west-1");
        return CliProcess.run(folder, line, environment);
    }
}
