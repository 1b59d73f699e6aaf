/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** SCALE.md shows what {@link Scale} computes, and what the benchmarks have measured. */
class ScaleTests {

    private final String page = read("../SCALE.md");

    private static String read(String page) {
        try {
            return Files.readString(Path.of(page));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    @Test
    void pageShowsTheComputedTables() {
        assertThat(Scale.tables()).allSatisfy(table -> assertThat(page).contains("\n\n" + table));
    }

    @Test
    void pageShowsTheMeasurementsOfTheReport() {
        assertThat(page).contains("\n\n" + Scale.measured(read("../measured/report.md")));
    }
}
