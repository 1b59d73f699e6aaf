/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TextsTests {

    private final LockRequest job = LockRequest.of("job");

    @Test
    void ownerHasNoControlCharactersAndAtMost1000Characters() {
        assertThat(job.owner("x".repeat(1_000)).owner()).hasSize(1_000);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.owner("a\nb"))
                .withMessage("owner must not contain control characters, but has U+000A at index 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.owner("x".repeat(1_001)))
                .withMessage("owner must have at most 1,000 characters, but has 1,001");
    }

    @Test
    void metadataHasNoControlCharactersAndAtMost4096Bytes() {
        assertThat(job.metadata(Map.of("k", "x".repeat(4_095))).metadata()).hasSize(1);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.metadata(Map.of("k", "x".repeat(4_096))))
                .withMessage("metadata must have at most 4,096 bytes of UTF-8 in all, keys included, but has 4,097");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.metadata(Map.of("k", "\u20ac".repeat(1_366))))
                .withMessageEndingWith("but has 4,099");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.metadata(Map.of("k", "a\u001bb")))
                .withMessage("metadata 'k' must not contain control characters, but has U+001B at index 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.metadata(Map.of("a\u202eb", "x")))
                .withMessage("A key of metadata must not contain control characters, but has U+202E at index 1");
    }

    /** DynamoDB has no attribute without a name, so that each acquisition would fail. */
    @Test
    void emptyKeyOfMetadataIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.metadata(Map.of("", "x")))
                .withMessageStartingWith("metadata must not have an empty key");
        assertThat(job.metadata(Map.of("k", "")).metadata()).hasSize(1);
    }

    /** As a value that an MDC lacks: it failed with a NullPointerException without a message. */
    @Test
    @SuppressWarnings("NullAway") // as callers may
    void nullInMetadataIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.metadata(Collections.singletonMap("user", null)))
                .withMessage("metadata must have neither a null key nor a null value, but has user=null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.metadata(Collections.singletonMap(null, "x")))
                .withMessage("metadata must have neither a null key nor a null value, but has null=x");
    }

    /** It would be stored as a question mark, so that two keys could be one. */
    @Test
    void textWithHalfOfCharacterIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.metadata(Map.of("a\ud83d", "x")))
                .withMessage("A key of metadata must be Unicode text, but has an unpaired surrogate at index 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.metadata(Map.of("k", "\ud83dx\udd12")))
                .withMessage("metadata 'k' must be Unicode text, but has an unpaired surrogate at index 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> job.owner("\ud83d\udd12\udd12"))
                .withMessage("owner must be Unicode text, but has an unpaired surrogate at index 2");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Node.settingsWith(with -> with.namePrefix("p\ud83d")))
                .withMessage("namePrefix must be Unicode text, but has an unpaired surrogate at index 1");
        assertThat(job.metadata(Map.of("\ud83d\udd12", "a\ud83d\udd12")).metadata())
                .hasSize(1);
    }

    @Test
    void displayedTextIsEscapedAndTruncated() {
        assertThat(Texts.shown("a\nb\u001b\u202e\u2028'")).isEqualTo("a\\u000ab\\u001b\\u202e\\u2028'");
        assertThat(Texts.shown("x".repeat(201))).hasSize(203).endsWith("x...");
        assertThat(Texts.shown("\uD83D\uDD12")).isEqualTo("\uD83D\uDD12");
    }

    @Test
    void metadataOfRowIsEscapedAndLimited() {
        Map<String, String> shown = Texts.shown(Map.of("a\n", "b\r", "huge", "x".repeat(400_000)));

        assertThat(shown).containsExactly(Map.entry("a\\u000a", "b\\u000d"));
    }
}
