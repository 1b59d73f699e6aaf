/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.util.stream.IntStream;

/** Tells which words were probably meant by another. */
final class Typo {

    private static final int MOST_EDITS = 2;

    private Typo() {}

    static boolean isLikely(String typed, String meant) {
        return meant.contains(typed) || edits(typed, meant) <= MOST_EDITS;
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
