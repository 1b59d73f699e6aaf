/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.benchmarks.report;

import java.util.Locale;

/**
 * A figure of a scenario.
 *
 * @param key its key in a {@link Sample}
 * @param label its heading, with the unit
 * @param digits decimal places to show
 * @param divisor what the value is divided by to get that unit
 */
record Metric(String key, String label, int digits, double divisor) {

    Metric(String key, String label, int digits) {
        this(key, label, digits, 1);
    }

    String text(double value) {
        return String.format(Locale.ROOT, "%,." + digits + "f", value);
    }
}
