/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockNamesTests {

    private static final String EURO = "\u20ac";
    private static final String LOCK = "\ud83d\udd12";

    private final LockNames plain = new LockNames("");
    private final LockNames prefixed = new LockNames("app/");

    @Test
    void rejectsNullAndEmptyNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.requireText(null))
                .withMessageContaining("null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockNames.requireText(""))
                .withMessageContaining("empty");
        assertThatIllegalArgumentException().isThrownBy(() -> prefixed.toStored(""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {" ", "\t\n", "\u2003", "\u00a0", "\u2007\u202f", "\u0085", "\u200b", "\ufeff", " \u00a0\u200b"})
    void rejectsBlankNamesAndShowsThem(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plain.toStored(name))
                .withMessage("A lock name must not be blank, but is '" + Texts.shown(name) + "'");
        assertThatIllegalArgumentException().isThrownBy(() -> prefixed.toStored(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "a#b", "  x  ", "\u00fcml\u00e4ut", "\ud83d\udd12", "app/job"})
    void keepsNamesUnchanged(String name) {
        assertThat(plain.toStored(name)).isEqualTo(name);
        assertThat(prefixed.toStored(name)).isEqualTo("app/" + name);
        assertThat(plain.fromStored(plain.toStored(name))).isEqualTo(name);
        assertThat(prefixed.fromStored(prefixed.toStored(name))).isEqualTo(name);
    }

    @Test
    void detectsForeignName() {
        assertThat(prefixed.fromStored("other/job")).isNull();
        assertThat(prefixed.fromStored("app/")).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x\u0000y",
                "job\n",
                "\rjob",
                "a\u001b[2K",
                "a\u007fb",
                "a\u0085b",
                "a\u2028b",
                "a\u202eb",
                "a\u2066b"
            })
    void rejectsCharactersThatForgeOrHideText(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plain.toStored(name))
                .withMessageMatching(
                        "A lock name must not contain control characters, but has U\\+[0-9A-F]{4} at index \\d");
    }

    @Test
    void accepts2048Bytes() {
        assertThat(plain.toStored("x".repeat(2_048))).hasSize(2_048);
        assertThat(plain.toStored(EURO.repeat(682) + "xx")).hasSize(684);
        assertThat(plain.toStored(LOCK.repeat(512))).hasSize(1_024);
    }

    @Test
    void rejectsMoreThan2048BytesOfUtf8() {
        assertRejected(plain, "x".repeat(2_049));
        assertRejected(plain, EURO.repeat(683));
        assertRejected(plain, LOCK.repeat(512) + "x");
    }

    @Test
    void countsPrefixInLength() {
        assertThat(prefixed.toStored("x".repeat(2_044))).hasSize(2_048);
        assertRejected(prefixed, "x".repeat(2_045));
        assertRejected(new LockNames(EURO.repeat(682)), "xxx");
    }

    @Test
    void doesNotRepeatLongNameInFull() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> plain.toStored("x".repeat(5_000)))
                .withMessageContaining("5,000")
                .satisfies(rejected -> assertThat(rejected.getMessage()).hasSizeLessThan(200));
    }

    private static void assertRejected(LockNames names, String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> names.toStored(name))
                .withMessageContaining("2,048 bytes");
    }

    @Test
    void rejectsInvalidUnicode() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new LockNames("").toStored("job\ud800"))
                .withMessageContaining("surrogate");
        assertThatIllegalArgumentException().isThrownBy(() -> new LockNames("").toStored("\udc00job"));
        assertThat(new LockNames("").toStored("job \ud83d\udd12")).isEqualTo("job \ud83d\udd12");
    }
}
