/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

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
}
