/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.samples.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Parses durations such as {@code 500ms}, {@code 10s}, {@code 1m30s}; a number without a unit is in seconds. */
final class DurationConverter implements ITypeConverter<Duration> {

    private static final Pattern PART = Pattern.compile("\\G(\\d{1,9})(ms|s|m|h|d)");

    @Override
    public Duration convert(String text) {
        if (text.matches("\\d{1,9}")) {
            return Duration.ofSeconds(Integer.parseInt(text));
        }
        Duration sum = Duration.ZERO;
        int end = 0;
        for (Matcher part = PART.matcher(text); part.find(); end = part.end()) {
            sum = sum.plus(of(Integer.parseInt(part.group(1)), part.group(2)));
        }
        if (end == 0 || end < text.length()) {
            throw new TypeConversionException("'" + text + "' is not a duration such as 500ms, 10s, 1m30s, 2h, 1d");
        }
        return sum;
    }

    private static Duration of(int amount, String unit) {
        return switch (unit) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
        };
    }
}
