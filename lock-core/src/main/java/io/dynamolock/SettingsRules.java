/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Validates settings, each alone and in combination. Each message starts with the name of the setting. */
final class SettingsRules {

    private SettingsRules() {}

    static void check(LockSettings settings) {
        checkLease(settings);
        checkHeartbeat(settings);
        checkRequests(settings);
        Durations.requireNotNegative("waitTime", settings.waitTime());
        Durations.requireLease("pollMin", settings.pollMin());
        require(
                settings.pollMax().compareTo(settings.pollMin()) >= 0,
                "pollMax",
                settings.pollMax(),
                "must not be below pollMin (" + settings.pollMin() + ")");
        Durations.requireLease("pollMax", settings.pollMax());
        Durations.requireNotNegative("shutdownGrace", settings.shutdownGrace());
        require(
                settings.onLost() != OnLost.DEFAULT,
                "onLost",
                settings.onLost(),
                "must be EVENT, INTERRUPT or SHUTDOWN");
    }

    private static void checkLease(LockSettings settings) {
        Duration lease = settings.leaseDuration();
        Duration longest = settings.maxLeaseDuration();
        Durations.requireLease("leaseDuration", lease);
        Durations.requireLease("maxLeaseDuration", longest);
        require(
                longest == null || lease.compareTo(longest) <= 0,
                "leaseDuration",
                lease,
                "must not exceed maxLeaseDuration (" + longest + ")");
        Durations.requireShort("maxClockSkew", settings.maxClockSkew());
        Durations.requireGrace("lockDelay", settings.lockDelay());
        Durations.requireLease("warnAfter", settings.warnAfter());
    }

    private static void checkHeartbeat(LockSettings settings) {
        Duration interval = settings.heartbeatInterval();
        Duration lease = settings.leaseDuration();
        if (interval != null) {
            Durations.requireLease("heartbeatInterval", interval);
            require(
                    interval.multipliedBy(2).compareTo(lease) <= 0,
                    "heartbeatInterval",
                    interval,
                    "must be at most half of leaseDuration (" + lease + "), so that one renewal may fail");
        }
        requireOne("heartbeatThreads", settings.heartbeatThreads());
    }

    private static void checkRequests(LockSettings settings) {
        Duration attempt = settings.attemptTimeout();
        Duration call = settings.callTimeout();
        Duration lease = settings.leaseDuration();
        requireOne("maxConcurrentRequests", settings.maxConcurrentRequests());
        requireInside("attemptTimeout", attempt, Durations.part(lease, 2), "half of leaseDuration");
        requireInside("callTimeout", call, lease, "leaseDuration");
        if (call != null) {
            requireInside("attemptTimeout", attempt, call, "callTimeout");
        }
        Durations.requireLease("firstAnswerTimeout", settings.firstAnswerTimeout());
    }

    private static void requireInside(String what, @Nullable Duration value, Duration limit, String ofWhat) {
        if (value != null) {
            Durations.requireLease(what, value);
            require(value.compareTo(limit) <= 0, what, value, "must be at most " + ofWhat + " (" + limit + ")");
        }
    }

    private static void requireOne(String what, int value) {
        require(value > 0, what, value, "must be at least 1");
    }

    private static void require(boolean right, String what, Object value, String rule) {
        if (!right) {
            throw new IllegalArgumentException(what + " " + rule + ", but is " + value);
        }
    }
}
