/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Finds the command or option closest to a mistyped one. */
final class Typo {

    private static final int MOST_EDITS = 2;
    private static final int SHORTEST = 3;

    private Typo() {}

    /** Returns the command or option that was probably typed, without the value of an option; empty if none was. */
    static Optional<String> meant(String typed, Stream<String> known) {
        String word = typed.replaceFirst("(?s)=.*", "").toLowerCase(Locale.ROOT);
        return known.filter(each -> isLikely(word, each)).min(Comparator.comparingInt(each -> edits(word, each)));
    }

    private static boolean isLikely(String word, String meant) {
        boolean contained = meant.contains(word) || word.contains(meant);
        boolean swapped = Arrays.equals(
                word.chars().sorted().toArray(), meant.chars().sorted().toArray());
        return word.length() >= SHORTEST
                && (contained || swapped || edits(word, meant) <= Math.min(MOST_EDITS, word.length() / SHORTEST));
    }

    /** How many characters to insert, delete or replace, at least. */
    private static int edits(String from, String to) {
        int[] row = IntStream.rangeClosed(0, to.length()).toArray();
        for (int i = 0; i < from.length(); i++) {
            int diagonal = row[0]++;
            for (int j = 0; j < to.length(); j++) {
                int replaced = diagonal + (from.charAt(i) == to.charAt(j) ? 0 : 1);
                diagonal = row[j + 1];
                row[j + 1] = Math.min(replaced, Math.min(row[j], diagonal) + 1);
            }
        }
        return row[to.length()];
    }
}
