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
    public static Duration part(Duration lease, int divisor) {
        return Duration.ofNanos(nanos(lease) / divisor);
    }

    public static Duration min(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    public static Duration max(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
