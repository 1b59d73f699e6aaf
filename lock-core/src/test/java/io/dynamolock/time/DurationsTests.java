/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTests {

    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    @ParameterizedTest
    @ValueSource(
            strings = {"PT0S", "PT-1S", "PT0.000999S", "P365DT0.001S", "PT-2562047788015215H", "PT2562047788015215H"})
    void rejectsNegativeZeroOrTooLongLeaseByName(Duration lease) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.requireLease("maxHold", lease))
                .withMessageStartingWith("maxHold must be between 1 ms and 365 days")
                .withMessageContaining(lease.toString());
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.001S", "PT0.001999S", "PT30S", "P365D"})
    void acceptsLeaseFromOneMillisecondToOneYear(Duration lease) {
        assertThatNoException().isThrownBy(() -> Durations.requireLease("maxHold", lease));
    }

    @Test
    void acceptsMissingDurations() {
        assertThatNoException().isThrownBy(() -> Durations.requireLease("maxHold", null));
        assertThatNoException().isThrownBy(() -> Durations.requireNotNegative("waitTime", null));
    }

    @Test
    void rejectsNegativeDurationsByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Durations.requireNotNegative("waitTime", Duration.ofNanos(-1)))
                .withMessageStartingWith("waitTime must not be negative")
                .withMessageContaining("PT-0.000000001S");
        assertThatNoException().isThrownBy(() -> Durations.requireNotNegative("waitTime", Duration.ZERO));
        assertThatNoException().isThrownBy(() -> Durations.requireNotNegative("waitTime", LONGEST));
    }

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
