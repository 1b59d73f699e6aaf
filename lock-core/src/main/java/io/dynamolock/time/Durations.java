/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.time;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Validates durations, and converts them to numbers without overflow. */
public final class Durations {

    /** The upper limit of a lease duration; a longer one is a mistake. */
    private static final Duration LONGEST_LEASE = Duration.ofDays(365);

    private static final Duration LONGEST_GRACE = Duration.ofDays(1);

    /** A lease duration and what is added to it. */
    public static final Duration LONGEST_IN_ROW = LONGEST_LEASE.plus(LONGEST_GRACE);

    private static final Duration LONGEST_NANOS = Duration.ofNanos(Long.MAX_VALUE / 4);

    private Durations() {}

    public static void requireLease(String what, @Nullable Duration duration) {
        if (duration == null) {
            return;
        }
        if (duration.compareTo(Duration.ofMillis(1)) < 0 || duration.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "%s must be between 1 ms and 365 days, but is %s".formatted(what, duration));
        }
    }

    public static void requireGrace(String what, @Nullable Duration duration) {
        requireNotNegative(what, duration);
        if (duration != null && duration.compareTo(LONGEST_GRACE) > 0) {
            throw new IllegalArgumentException("%s must be at most one day, but is %s".formatted(what, duration));
        }
    }

    /** For durations that are not limited by a lease. */
    public static void requireShort(String what, @Nullable Duration duration) {
        requireNotNegative(what, duration);
        if (duration != null && duration.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("%s must be at most 365 days, but is %s".formatted(what, duration));
        }
    }

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
