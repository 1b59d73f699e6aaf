/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Validates settings, each alone and in combination. */
final class SettingsRules {

    /** The upper limit of a lease duration; a longer one is a mistake. */
    private static final Duration LONGEST_LEASE = Duration.ofDays(365);

    private static final Duration LONGEST_DELAY = Duration.ofDays(1);

    /** A lease duration and what is added to it. */
    static final Duration LONGEST_IN_ROW = LONGEST_LEASE.plus(LONGEST_DELAY);

    /** How long a lock can stay taken without a holder, and what is added to it. */
    static final Duration LONGEST_AT_REST = Lease.LONGEST_KEEP.plus(LONGEST_DELAY);

    private SettingsRules() {}

    static void check(LockSettings settings) {
        checkLease(settings);
        checkHeartbeat(settings);
        checkRequests(settings);
        requireNotNegative("waitTime", settings.waitTime());
        requirePolling(settings.pollMin(), settings.pollMax());
        requireNotNegative("shutdownGrace", settings.shutdownGrace());
        require(
                settings.onLost() != OnLost.DEFAULT,
                "onLost",
                settings.onLost(),
                "must be THROW, EVENT, INTERRUPT or SHUTDOWN");
    }

    private static void checkLease(LockSettings settings) {
        Duration leaseDuration = settings.leaseDuration();
        Duration longest = settings.maxLeaseDuration();
        requireLease("leaseDuration", leaseDuration);
        requireLease("maxLeaseDuration", longest);
        require(
                longest == null || leaseDuration.compareTo(longest) <= 0,
                "leaseDuration",
                leaseDuration,
                "must not exceed {maxLeaseDuration} (" + shown(longest) + ")");
        requireShort("maxClockSkew", settings.maxClockSkew());
        requireDelay("lockDelay", settings.lockDelay());
        requireLease("warnAfter", settings.warnAfter());
    }

    private static void checkHeartbeat(LockSettings settings) {
        Duration interval = settings.heartbeatInterval();
        Duration leaseDuration = settings.leaseDuration();
        if (interval != null) {
            requireLease("heartbeatInterval", interval);
            require(
                    interval.multipliedBy(2).compareTo(leaseDuration) <= 0,
                    "heartbeatInterval",
                    interval,
                    "must be at most half of {leaseDuration} (" + shown(leaseDuration)
                            + "), so that one renewal may fail");
        }
        requireOne("heartbeatThreads", settings.heartbeatThreads());
    }

    static void requirePolling(@Nullable Duration min, @Nullable Duration max) {
        requireLease("pollMin", min);
        require(
                min == null || max == null || max.compareTo(min) >= 0,
                "pollMax",
                max,
                "must not be below {pollMin} (" + shown(min) + ")");
        requireLease("pollMax", max);
    }

    private static void checkRequests(LockSettings settings) {
        Duration attempt = settings.attemptTimeout();
        Duration call = settings.callTimeout();
        Duration leaseDuration = settings.leaseDuration();
        requireOne("maxConcurrentRequests", settings.maxConcurrentRequests());
        String ofLease = "{leaseDuration} (" + shown(leaseDuration) + ")";
        requireInside("attemptTimeout", attempt, Durations.part(leaseDuration, 2), "half of " + ofLease);
        requireInside("callTimeout", call, leaseDuration, ofLease);
        if (call != null) {
            requireInside("attemptTimeout", attempt, call, "{callTimeout} (" + shown(call) + ")");
        }
        requireLease("firstResponseTimeout", settings.firstResponseTimeout());
    }

    /** Rejects a lease duration of one lock that is above the maximum, unless that is null. */
    static void requireAtMost(Duration leaseDuration, String lock, @Nullable Duration longest) {
        if (longest != null && leaseDuration.compareTo(longest) > 0) {
            throw new InvalidSettingException(
                    "leaseDuration",
                    "must not exceed {maxLeaseDuration} (" + shown(longest) + ")",
                    leaseDuration,
                    "leaseDuration (%s) of lock '%s'".formatted(shown(leaseDuration), lock),
                    null);
        }
    }

    static void requireLease(String what, @Nullable Duration duration) {
        require(
                duration == null
                        || (duration.compareTo(Duration.ofMillis(1)) >= 0 && duration.compareTo(LONGEST_LEASE) <= 0),
                what,
                duration,
                "must be between 1 ms and 365 days");
    }

    /** For durations that are not limited by a lease. */
    static void requireShort(String what, @Nullable Duration duration) {
        requireNotNegative(what, duration);
        require(isWithin(duration, LONGEST_LEASE), what, duration, "must be at most 365 days");
    }

    /** For the time that a lock stays taken after its release. */
    static void requireKeep(Duration keep) {
        requireNotNegative("keep", Objects.requireNonNull(keep, "keep"));
        require(isWithin(keep, Lease.LONGEST_KEEP), "keep", keep, "must be at most 36,500 days");
    }

    private static void requireDelay(String what, Duration duration) {
        requireNotNegative(what, duration);
        require(isWithin(duration, LONGEST_DELAY), what, duration, "must be at most one day");
    }

    static void requireNotNegative(String what, @Nullable Duration duration) {
        require(duration == null || !duration.isNegative(), what, duration, "must not be negative");
    }

    private static boolean isWithin(@Nullable Duration duration, Duration limit) {
        return duration == null || duration.compareTo(limit) <= 0;
    }

    private static void requireInside(String what, @Nullable Duration value, Duration limit, String ofWhat) {
        requireLease(what, value);
        require(isWithin(value, limit), what, value, "must be at most " + ofWhat);
    }

    private static void requireOne(String what, int value) {
        require(value > 0, what, value, "must be at least 1");
    }

    private static String shown(@Nullable Duration duration) {
        return duration == null ? "none" : Durations.shown(duration);
    }

    static void require(boolean valid, String what, @Nullable Object value, String rule) {
        if (!valid) {
            throw new InvalidSettingException(what, rule, value);
        }
    }
}
