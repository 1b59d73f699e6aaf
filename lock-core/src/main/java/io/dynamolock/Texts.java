/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Validates texts of callers, and escapes texts of others for display. */
final class Texts {

    private static final int LONGEST_SHOWN = 200;
    private static final int LONGEST_OWNER = 1_000;
    private static final int LONGEST_METADATA = 4_096;

    private Texts() {}

    /** Returns the name of a thread; virtual ones have none by default. */
    static String nameOf(Thread thread) {
        return thread.getName().isEmpty() ? "#" + thread.getId() : thread.getName();
    }

    /**
     * Rejects what could forge or hide part of a log line: control characters, line separators, bidirectional controls.
     * Rejects halves of characters, too: stored as question marks, they would make two texts one.
     */
    static void requireShowable(String setting, String text) {
        requireShowable(setting, setting, text);
    }

    /**
     * As {@link #requireShowable(String, String)}, with another subject of the message than the name of the setting.
     */
    static void requireShowable(String setting, String subject, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (isUnshowable(text.charAt(i))) {
                String found = "has U+" + hex(text.charAt(i)).toUpperCase(Locale.ROOT) + " at index " + i;
                throw new InvalidSettingException(setting, "must not contain control characters", text, subject, found);
            }
            if (isUnpaired(text, i)) {
                String found = "has an unpaired surrogate at index " + i;
                throw new InvalidSettingException(setting, "must be Unicode text", text, subject, found);
            }
        }
    }

    private static boolean isUnpaired(String text, int i) {
        char unit = text.charAt(i);
        return Character.isHighSurrogate(unit)
                ? i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1))
                : Character.isLowSurrogate(unit) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }

    static void requireOwner(String owner) {
        requireShowable("owner", owner);
        if (owner.length() > LONGEST_OWNER) {
            String found = has(owner.length());
            throw new InvalidSettingException("owner", "must have at most 1,000 characters", owner, "owner", found);
        }
    }

    /** Copies texts of a caller, which may lack a value, such as one of an MDC. */
    static Map<String, String> copyOfMetadata(Map<String, String> metadata) {
        for (Map.Entry<String, String> entry : metadata.entrySet()) {
            if (entry.getKey() == null || entry.getValue() == null) {
                String entryShown = shown(entry.getKey() + "=" + entry.getValue());
                String rule = "must have neither a null key nor a null value";
                throw new InvalidSettingException("metadata", rule, metadata, "metadata", "has " + entryShown);
            }
        }
        return Map.copyOf(metadata);
    }

    static void requireMetadata(Map<String, String> metadata) {
        if (metadata.isEmpty()) {
            return;
        }
        if (metadata.containsKey("")) {
            throw new InvalidSettingException("metadata", "must not have an empty key", metadata);
        }
        metadata.forEach((key, text) -> {
            requireShowable("metadata", "A key of metadata", key);
            requireShowable("metadata", "metadata '" + shown(key) + "'", text);
        });
        int bytes = metadata.entrySet().stream().mapToInt(Texts::bytes).sum();
        if (bytes > LONGEST_METADATA) {
            String rule = "must have at most 4,096 bytes of UTF-8 in all, keys included";
            throw new InvalidSettingException("metadata", rule, metadata, "metadata", has(bytes));
        }
    }

    /** Returns how a message states the number that was found. */
    static String has(int number) {
        return String.format(Locale.ROOT, "has %,d", number);
    }

    private static String hex(char unit) {
        return HexFormat.of().toHexDigits(unit);
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
        if (isShowable(text)) {
            return text;
        }
        StringBuilder escaped = new StringBuilder();
        text.chars().forEach(unit -> {
            if (isUnshowable((char) unit)) {
                escaped.append("\\u").append(hex((char) unit));
            } else {
                escaped.append((char) unit);
            }
        });
        return escaped.toString();
    }

    static boolean isShowable(String text) {
        for (int i = 0; i < text.length(); i++) { // in each acquisition: a stream costs more than all of this
            if (isUnshowable(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private static boolean isUnshowable(char unit) {
        if (unit >= ' ' && unit <= '~') {
            return false;
        }
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
