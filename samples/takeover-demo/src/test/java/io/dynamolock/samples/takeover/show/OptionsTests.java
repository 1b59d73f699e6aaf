/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTests {

    @Test
    void needsNone() {
        assertThat(Options.parse()).isEqualTo(new Options(3, Duration.ofSeconds(40), true, null));
    }

    @Test
    void readsAll() {
        assertThat(Options.parse("--workers", "5", "--without-locks", "--seconds", "20", "--journals", "there"))
                .isEqualTo(new Options(5, Duration.ofSeconds(20), false, Path.of("there")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1", "21", "-3", "many", "", "99999999999"})
    void rejectsWrongNumbers(String workers) {
        assertThatThrownBy(() -> Options.parse("--workers", workers))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--workers must be a number from 2 to 20: " + workers);
    }

    @Test
    void rejectsWhatItDoesNotKnow() {
        assertThatThrownBy(() -> Options.parse("--with-locks")).hasMessage("Unknown option: --with-locks");
        assertThatThrownBy(() -> Options.parse("--seconds")).hasMessage("--seconds needs a value");
    }

    @Test
    void rejectsTheJournalsOfAnEarlierRun(@TempDir Path directory) throws IOException {
        Files.createFile(directory.resolve("worker-1.journal"));

        assertThatThrownBy(
                        () -> Options.parse("--journals", directory.toString()).emptyDirectory())
                .hasMessageStartingWith("--journals must be an empty directory");
    }
}
