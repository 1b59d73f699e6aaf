/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.takeover.show;

import java.time.Instant;
import java.util.List;

/**
 * The history of one lock.
 *
 * @param lock its name
 * @param sections ordered by entry
 */
record LockHistory(String lock, List<Section> sections) {

    /** Counts the sections that began before an earlier one had ended. */
    int overlaps() {
        int overlaps = 0;
        Instant busyUntil = Instant.MIN;
        for (Section section : sections) {
            if (section.from().isBefore(busyUntil)) {
                overlaps++;
            }
            busyUntil = section.to().isAfter(busyUntil) ? section.to() : busyUntil;
        }
        return overlaps;
    }

    /** Returns whether each section had a higher token than the one before. */
    boolean tokensIncrease() {
        long highest = 0;
        for (Section section : sections) {
            if (section.token() <= highest) {
                return false;
            }
            highest = section.token();
        }
        return true;
    }
}
