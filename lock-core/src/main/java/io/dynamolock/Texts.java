/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Validates texts of callers, and escapes texts of others for display. */
final class Texts {

    private static final int LONGEST_SHOWN = 200;
    private static final int LONGEST_OWNER = 1_000;
    private static final int LONGEST_METADATA = 4_096;

    private Texts() {}

    /**
     * Rejects what could forge or hide part of a log line: control characters, line separators, bidirectional controls.
     */
    static void requireShowable(String what, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isUnshowable(text.charAt(i))) {
                throw new IllegalArgumentException("%s must not contain control characters, but has U+%04X at index %d"
                        .formatted(what, (int) text.charAt(i), i));
            }
        }
    }

    static void requireOwner(String owner) {
        requireShowable("owner", owner);
        if (owner.length() > LONGEST_OWNER) {
            throw new IllegalArgumentException(
                    "owner must have at most 1,000 characters, but has %,d".formatted(owner.length()));
        }
    }

    static void requireMetadata(Map<String, String> metadata) {
        metadata.forEach((key, text) -> {
            requireShowable("A key of metadata", key);
            requireShowable("metadata '" + shown(key) + "'", text);
        });
        int bytes = metadata.entrySet().stream().mapToInt(Texts::bytes).sum();
        if (bytes > LONGEST_METADATA) {
            throw new IllegalArgumentException(
                    "metadata must have at most 4,096 bytes of UTF-8 in all, keys included, but has %,d"
                            .formatted(bytes));
        }
    }

    private static int bytes(Map.Entry<String, String> entry) {
        return (entry.getKey() + entry.getValue()).getBytes(StandardCharsets.UTF_8).length;
    }

    /** Escapes unprintable characters, and truncates. */
    static String shown(String text) {
        String part = text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
        return escaped(part);
    }

    static @Nullable String shownOrNull(@Nullable String text) {
        return text == null ? null : shown(text);
    }

    /** Escapes the entries, and drops those beyond the size that any request may write. */
    static Map<String, String> shown(Map<String, String> metadata) {
        if (metadata.isEmpty()) {
            return metadata;
        }
        Map<String, String> shown = new LinkedHashMap<>();
        int left = LONGEST_METADATA;
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            int bytes = bytes(entry);
            if (bytes <= left) {
                shown.put(escaped(entry.getKey()), escaped(entry.getValue()));
                left -= bytes;
            }
        }
        return shown;
    }

    private static String escaped(String text) {
        if (text.chars().noneMatch(unit -> isUnshowable((char) unit))) {
            return text;
        }
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(unit -> {
            if (isUnshowable((char) unit)) {
                escaped.append("\\u%04x".formatted(unit));
            } else {
                escaped.append((char) unit);
            }
        });
        return escaped.toString();
    }

    private static boolean isUnshowable(char unit) {
        return switch (Character.getType(unit)) {
            case Character.CONTROL, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> true;
            default ->
                (unit >= '\u202a' && unit <= '\u202e')
                        || (unit >= '\u2066' && unit <= '\u2069')
                        || unit == '\u200e'
                        || unit == '\u200f'
                        || unit == '\u061c';
        };
    }
}
