/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DurationsTests {

    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    @Test
    void convertsToNanoseconds() {
        assertThat(Durations.nanos(Duration.ofMillis(1_500))).isEqualTo(1_500_000_000L);
        assertThat(Durations.nanos(Duration.ofDays(365))).isEqualTo(365 * 86_400_000_000_000L);
    }

    @Test
    void capsDurationsSoThatSumsCannotOverflow() {
        long longest = Durations.nanos(LONGEST);
        long now = Long.MAX_VALUE - 1;

        assertThat(longest).isGreaterThan(Duration.ofDays(70 * 365).toNanos());
        assertThat(now + longest + longest - now).isPositive();
    }

    @Test
    void comparesDurations() {
        Duration less = Duration.ofMillis(1);
        Duration more = Duration.ofMillis(2);

        assertThat(Durations.min(less, more)).isSameAs(less);
        assertThat(Durations.min(more, less)).isSameAs(less);
        assertThat(Durations.max(less, more)).isSameAs(more);
        assertThat(Durations.max(more, less)).isSameAs(more);
    }

    @ParameterizedTest
    @CsvSource({
        "PT0S, 0s",
        "PT30S, 30s",
        "PT61S, 61s",
        "PT1M, 1m",
        "PT1H30M, 90m",
        "PT2H, 2h",
        "P365D, 365d",
        "PT-5S, -5s",
        "PT0.2S, 200ms",
        "PT1.5S, 1500ms",
        "PT0.000999S, 999us",
        "PT0.000000001S, 1ns"
    })
    void isShownInTheLargestExactUnit(Duration duration, String shown) {
        assertThat(Durations.shown(duration)).isEqualTo(shown);
    }

    @Test
    void longestDurationIsShown() {
        assertThat(Durations.shown(Duration.ofSeconds(Long.MAX_VALUE, 1)))
                .isEqualTo("PT2562047788015215H30M7.000000001S");
    }
}
