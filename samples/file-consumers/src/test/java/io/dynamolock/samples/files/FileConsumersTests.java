/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.files;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(300)
class FileConsumersTests {

    private static final List<String> LINES = List.of("one", "two", "three");

    private final ByteArrayOutputStream output = new ByteArrayOutputStream();

    @ParameterizedTest
    @EnumSource
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "has no SIGSTOP")
    @Tag("proof")
    void showsWhatItMust(Mode mode) throws Exception {
        int exitCode = run(mode.option);

        assertThat(lines()).last().asString().startsWith("RESULT: OK: ");
        assertThat(exitCode).isZero();
        assertThat(ProcessHandle.current().children()).isEmpty();
    }

    @Test
    void explainsItselfWhenAnOptionIsUnknown() throws Exception {
        assertThat(run("--without-lock")).isEqualTo(2);
        assertThat(lines()).element(0).isEqualTo("Unknown option: --without-lock");
        assertThat(lines()).element(1).asString().startsWith("Usage: ");
    }

    @Test
    void countsEachLineOnce() {
        assertThat(Mode.FENCED.result(LINES, "two", 1, LINES)).startsWith("RESULT: OK: each line");
        assertThat(Mode.FENCED.result(LINES, "two", 0, LINES)).startsWith("RESULT: FAILED");
        assertThat(Mode.FENCED.result(LINES, "two", 1, List.of("one", "two"))).startsWith("RESULT: FAILED");
        assertThat(Mode.FENCED.result(LINES, "two", 1, List.of("one", "two", "two", "three")))
                .isEqualTo("RESULT: FAILED: 3 lines, 4 stored, again: [two]");
    }

    @Test
    void expectsTheLateLineTwiceWithoutFencing() {
        assertThat(Mode.WITHOUT_FENCING.result(LINES, "two", 0, List.of("one", "two", "three", "two")))
                .startsWith("RESULT: OK: as expected without fencing");
        assertThat(Mode.WITHOUT_FENCING.result(LINES, "two", 0, LINES)).startsWith("RESULT: FAILED");
    }

    @Test
    void expectsTheLateLineAtLeastTwiceWithoutLocks() {
        assertThat(Mode.WITHOUT_LOCKS.result(LINES, "two", 0, List.of("one", "two", "three", "two", "three")))
                .startsWith("RESULT: OK: as expected without locks");
        assertThat(Mode.WITHOUT_LOCKS.result(LINES, "two", 0, LINES)).startsWith("RESULT: FAILED");
    }

    private int run(String option) throws Exception {
        return FileConsumers.run(new PrintStream(output, true, StandardCharsets.UTF_8), option);
    }

    private List<String> lines() {
        return output.toString(StandardCharsets.UTF_8).lines().toList();
    }
}
