/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Base64;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LeaseTokenTests {

    private static final String PREFIX = "dynamolock-1.";
    private static final String LEASE_ID = "5f0c6f2e-7a0b-4b8e-9f0d-2f6f1f0f9d11";

    private final LeaseToken token = token("app/job");

    private static LeaseToken token(String name) {
        return LeaseToken.of("table 'locks'", name, LEASE_ID, null);
    }

    @ParameterizedTest
    @ValueSource(strings = {"job", "a/b#c", "\u00fcml\u00e4ut \u20ac", "\ud83d\udd12\ud83d\udd12"})
    void parsesItsOwnText(String name) {
        LeaseToken read = LeaseToken.parse(token(name).asText());

        assertThat(read.store()).isEqualTo("table 'locks'");
        assertThat(read.name()).isEqualTo(name);
        assertThat(read.leaseId()).isEqualTo(LEASE_ID);
        assertThat(read.asText()).isEqualTo(token(name).asText());
    }

    @Test
    void supportsLongestName() {
        String longest = "\ud83d\udd12".repeat(512);

        assertThat(LeaseToken.parse(token(longest).asText()).name()).isEqualTo(longest);
    }

    @Test
    void textIsSafeInUrlsHeadersAndFileNames() {
        assertThat(token("\u20ac ?&=/\n").asText()).matches("[A-Za-z0-9._-]+");
    }

    @Test
    void toStringShowsLockButNeitherTextNorLeaseId() {
        assertThat(token)
                .asString()
                .contains("app/job")
                .doesNotContain(LEASE_ID)
                .doesNotContain(token.asText())
                .doesNotContain("1832960000000123");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "secret-garbage",
                "dynamolock-1.",
                "dynamolock-1.secret garbage",
                "dynamolock-1.c2VjcmV0",
                "dynamolock-2.AAAA",
                "DYNAMOLOCK-1.AAAA",
                " dynamolock-1.AAAA"
            })
    void rejectsGarbageWithoutEchoingIt(String text) {
        assertRejected(text);
    }

    @Test
    void rejectsTruncatedText() {
        String text = token.asText();

        for (int length = 0; length < text.length(); length++) {
            assertRejected(text.substring(0, length));
        }
    }

    @Test
    void rejectsTextWithPrefixOrSuffix() {
        assertRejected(token.asText() + "AAAA");
        assertRejected("A" + token.asText());
        assertRejected(token.asText() + "\n");
        assertRejected(token.asText() + token.asText());
    }

    @Test
    void rejectsRandomBytesWithItsOwnException() {
        Random random = new Random(5);

        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(80)];
            random.nextBytes(bytes);
            assertRejected(PREFIX + Base64.getUrlEncoder().encodeToString(bytes));
        }
    }

    private static void assertRejected(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LeaseToken.parse(text))
                .withMessageStartingWith("Not a lease token")
                .withNoCause()
                .satisfies(rejected -> assertNotRepeated(text, rejected));
    }

    private static void assertNotRepeated(String text, Throwable rejected) {
        String secret = text.startsWith(PREFIX) ? text.substring(PREFIX.length()) : text;
        if (!PREFIX.contains(secret)) {
            assertThat(rejected.getMessage()).doesNotContain(secret);
        }
        assertThat(rejected.getMessage()).doesNotContain(LEASE_ID);
    }

    @Test
    void rejectsTextWithOneChangedCharacter() {
        String text = token.asText();

        for (int i = 0; i < text.length(); i++) {
            String changed = text.substring(0, i) + (text.charAt(i) == 'A' ? 'B' : 'A') + text.substring(i + 1);
            assertThatIllegalArgumentException().isThrownBy(() -> LeaseToken.parse(changed));
        }
    }
}
