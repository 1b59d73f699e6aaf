/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Validates durations, and converts them to numbers without overflow. */
public final class Durations {

    private static final Duration LONGEST_NANOS = Duration.ofNanos(Long.MAX_VALUE / 4);

    private Durations() {}

    public static void requireNotNegative(String what, @Nullable Duration duration) {
        if (duration != null && duration.isNegative()) {
            throw new IllegalArgumentException("%s must not be negative, but is %s".formatted(what, duration));
        }
    }

    /** Converts to nanoseconds, capped at 73 years so that sums and differences do not overflow. */
    public static long nanos(Duration duration) {
        return duration.compareTo(LONGEST_NANOS) > 0 ? LONGEST_NANOS.toNanos() : duration.toNanos();
    }

    /**
     * Returns a fraction of a lease. Avoids {@link Duration#dividedBy}, whose big decimals would cost each operation.
     */
    public static Duration part(Duration whole, int divisor) {
        return Duration.ofNanos(nanos(whole) / divisor);
    }

    /** Returns a duration as configuration files write it: a number of the largest unit that is exact, such as 90s. */
    public static String shown(Duration duration) {
        if (duration.equals(Duration.ofSeconds(duration.toSeconds()))) {
            return shown(duration.toSeconds());
        }
        boolean fitsNanos = duration.abs().compareTo(LONGEST_NANOS) <= 0;
        return fitsNanos ? shownPart(duration.toNanos()) : duration.toString();
    }

    private static String shown(long seconds) {
        if (seconds == 0 || seconds % 60 != 0) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        return minutes % 60 != 0 ? minutes + "m" : minutes % 1_440 != 0 ? minutes / 60 + "h" : minutes / 1_440 + "d";
    }

    private static String shownPart(long nanos) {
        return nanos % 1_000 != 0
                ? nanos + "ns"
                : nanos % 1_000_000 != 0 ? nanos / 1_000 + "us" : nanos / 1_000_000 + "ms";
    }

    /** Rounds up to whole milliseconds. */
    public static Duration wholeMillis(Duration duration) {
        return Duration.ofMillis(duration.plusNanos(999_999).toMillis());
    }

    public static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    public static Duration max(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
