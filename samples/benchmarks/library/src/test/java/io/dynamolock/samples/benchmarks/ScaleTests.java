/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** SCALE.md shows what {@link Scale} computes. */
class ScaleTests {

    @Test
    void pageShowsTheComputedTables() throws IOException {
        String page = Files.readString(Path.of("../SCALE.md"));

        assertThat(Scale.tables()).allSatisfy(table -> assertThat(page).contains("\n\n" + table));
    }
}
