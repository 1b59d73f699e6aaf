/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BenchmarksTests {

    @Test
    void reportHasTheResultOfAnotherMeasurementWithoutItsLog() {
        String output = "# Benchmark: warming up\nBenchmark  first\n1\n\nBenchmark  Score\ncall  1\n";

        assertThat(Benchmarks.from("Benchmark ", output)).isEqualTo("Benchmark  Score\ncall  1\n");
        assertThat(Benchmarks.from("startup", output)).isEqualTo(output);
    }
}
