/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTests {

    @Test
    void haveRoundsIfGiven() {
        assertThat(new Options("--rounds=3").rounds()).contains(3);
        assertThat(new Options("--quick").rounds()).isEmpty();
    }

    /** No round measures nothing, so that no gate fails. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "0.5", "some", ""})
    void rejectRoundsThatMeasureNothing(String rounds) {
        Options options = new Options("--rounds=" + rounds);

        assertThatThrownBy(options::rounds)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--rounds");
    }
}
