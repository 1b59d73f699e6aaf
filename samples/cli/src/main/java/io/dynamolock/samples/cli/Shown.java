/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import org.jspecify.annotations.Nullable;

/** Escapes texts for a terminal and for JSON: a name in the table may contain anything. */
final class Shown {

    private Shown() {}

    /** The text without characters that could control a terminal or hide a part of a line; "-" for none. */
    static String text(@Nullable Object value) {
        if (value == null) {
            return "-";
        }
        StringBuilder shown = new StringBuilder();
        value.toString().codePoints().forEach(character -> {
            boolean printable = isPrintable(character);
            for (char unit : Character.toChars(character)) {
                append(shown, unit, printable);
            }
        });
        return shown.toString();
    }

    /** A JSON string with quotes, in ASCII, so that the locale does not matter. */
    static String json(String value) {
        StringBuilder shown = new StringBuilder("\"");
        for (int i = 0; i < value.length(); i++) {
            char unit = value.charAt(i);
            if (unit == '"' || unit == '\\') {
                shown.append('\\');
            }
            append(shown, unit, unit >= ' ' && unit <= '~');
        }
        return shown.append('"').toString();
    }

    private static void append(StringBuilder shown, char unit, boolean literally) {
        if (literally) {
            shown.append(unit);
        } else {
            shown.append("\\u%04x".formatted((int) unit));
        }
    }

    private static boolean isPrintable(int character) {
        return switch (Character.getType(character)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
            default -> true;
        };
    }
}
