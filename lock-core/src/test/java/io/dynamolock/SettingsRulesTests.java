/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.dynamolock.time.Durations;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsRulesTests {

    private static final Duration LONGEST = Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);

    @ParameterizedTest
    @ValueSource(
            strings = {"PT0S", "PT-1S", "PT0.000999S", "P365DT0.001S", "PT-2562047788015215H", "PT2562047788015215H"})
    void rejectsNegativeZeroOrTooLongLeaseByName(Duration lease) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SettingsRules.requireLease("maxHold", lease))
                .withMessageStartingWith("maxHold must be between 1 ms and 365 days")
                .withMessageEndingWith("but is " + Durations.shown(lease));
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0.001S", "PT0.001999S", "PT30S", "P365D"})
    void acceptsLeaseFromOneMillisecondToOneYear(Duration lease) {
        assertThatNoException().isThrownBy(() -> SettingsRules.requireLease("maxHold", lease));
    }

    @Test
    void acceptsMissingDurations() {
        assertThatNoException().isThrownBy(() -> SettingsRules.requireLease("maxHold", null));
        assertThatNoException().isThrownBy(() -> SettingsRules.requireNotNegative("waitTime", null));
    }

    @Test
    void rejectsNegativeDurationsByName() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SettingsRules.requireNotNegative("waitTime", Duration.ofNanos(-1)))
                .withMessageStartingWith("waitTime must not be negative")
                .withMessageEndingWith("but is -1ns");
        assertThatNoException().isThrownBy(() -> SettingsRules.requireNotNegative("waitTime", Duration.ZERO));
        assertThatNoException().isThrownBy(() -> SettingsRules.requireNotNegative("waitTime", LONGEST));
    }
}
