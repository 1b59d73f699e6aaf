/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

/**
 * What DynamoDB charges in on-demand mode.
 *
 * @param write dollars of a million write units
 * @param read dollars of a million read units
 * @param source where the prices are from
 * @param date when they were valid
 */
record Prices(double write, double read, String source, String date) {

    /** Returns the dollars of a million times these units. */
    double ofMillion(double writeUnits, double readUnits) {
        return writeUnits * write + readUnits * read;
    }
}
