/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TurnClaimTests {

    private static final Duration WINDOW = Duration.ofMillis(1_500);
    private static final long HIGHEST_TOKEN = 9_007_199_254_740_991L;

    @Test
    void textTellsSeniorityWindowAndClaimant() {
        TurnClaim claim = TurnClaim.of(12_345, WINDOW, "b/c\nd");

        assertThat(claim.text()).isEqualTo("0000000000012345/1500/b/c\nd");
        assertThat(claim.window()).isEqualTo(WINDOW);
        assertThat(claim.isBy("b/c\nd")).isTrue();
        assertThat(claim.isBy("d")).isFalse();
    }

    @Test
    void smallerTextHasWaitedLonger() {
        TurnClaim claim = TurnClaim.of(99, WINDOW, "z");

        assertThat(claim.text()).isLessThan(TurnClaim.of(100, WINDOW, "a").text());
        assertThat(claim.isAtLeastAsOldAs(99)).isTrue();
        assertThat(claim.isAtLeastAsOldAs(100)).isTrue();
        assertThat(claim.isAtLeastAsOldAs(98)).isFalse();
        assertThat(TurnClaim.of(HIGHEST_TOKEN, WINDOW, "a").isAtLeastAsOldAs(HIGHEST_TOKEN))
                .isTrue();
    }

    @Test
    void textHasTheSameDigitsInEachLanguage() {
        Locale before = Locale.getDefault(Locale.Category.FORMAT);
        Locale.setDefault(Locale.Category.FORMAT, Locale.forLanguageTag("ar-u-nu-arab"));
        try {
            assertThat(TurnClaim.of(12_345, WINDOW, "a").text()).isEqualTo("0000000000012345/1500/a");
        } finally {
            Locale.setDefault(Locale.Category.FORMAT, before);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "0000000000012345/1500/",
                "12345/1500/me",
                "0000000000012345/99999/me",
                "0000000000012345/-1/me",
                "-000000000012345/1500/me",
                "0000000000012345/1500"
            })
    void textOfAnotherFormReservesNothing(String text) {
        TurnClaim claim = new TurnClaim(text);

        assertThat(claim.isValid()).isFalse();
        assertThat(claim.window()).isEqualTo(Duration.ZERO);
        assertThat(claim.isBy("me")).isFalse();
        assertThat(claim.isAtLeastAsOldAs(Long.MAX_VALUE)).isFalse();
    }
}
