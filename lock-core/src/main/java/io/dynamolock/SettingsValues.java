/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The values of {@link LockSettings}, with their defaults. Only builders modify them. */
final class SettingsValues implements Cloneable {

    Duration leaseDuration = Duration.ofSeconds(30);

    @Nullable
    Duration maxLeaseDuration;

    LeaseTime time = LeaseTime.SERVER;
    Duration maxClockSkew = Duration.ofSeconds(1);
    Duration lockDelay = Duration.ZERO;

    @Nullable
    Duration warnAfter;

    @Nullable
    Duration heartbeatInterval;

    int heartbeatThreads = 24;
    int maxConcurrentRequests = 16;
    Duration waitTime = Duration.ZERO;
    Duration pollMin = Duration.ofMillis(50);
    Duration pollMax = Duration.ofSeconds(1);

    @Nullable
    Duration attemptTimeout;

    @Nullable
    Duration callTimeout;

    @Nullable
    Duration firstResponseTimeout;

    String namePrefix = "";
    Duration shutdownGrace = Duration.ofSeconds(10);
    OnLost onLost = OnLost.THROW;

    SettingsValues copy() {
        try {
            return (SettingsValues) clone();
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    /** All values by name, for comparison and display. */
    Map<String, @Nullable Object> all() {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("leaseDuration", leaseDuration);
        all.put("maxLeaseDuration", maxLeaseDuration);
        all.put("time", time);
        all.put("maxClockSkew", maxClockSkew);
        all.put("lockDelay", lockDelay);
        all.put("warnAfter", warnAfter);
        all.put("heartbeatInterval", heartbeatInterval);
        all.put("heartbeatThreads", heartbeatThreads);
        all.put("maxConcurrentRequests", maxConcurrentRequests);
        all.put("waitTime", waitTime);
        all.put("pollMin", pollMin);
        all.put("pollMax", pollMax);
        all.put("attemptTimeout", attemptTimeout);
        all.put("callTimeout", callTimeout);
        all.put("firstResponseTimeout", firstResponseTimeout);
        all.put("namePrefix", namePrefix);
        all.put("shutdownGrace", shutdownGrace);
        all.put("onLost", onLost);
        return all;
    }
}
