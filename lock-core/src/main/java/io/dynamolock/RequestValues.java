/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The values of a {@link LockRequest}, with their defaults. Only a request that is being created modifies them. */
final class RequestValues implements Cloneable {

    List<String> names;

    @Nullable
    Duration leaseDuration;

    @Nullable
    Duration waitTime;

    boolean autoRenew = true;

    @Nullable
    Duration maxHold;

    @Nullable
    Duration minHold;

    @Nullable
    Duration pollMin;

    @Nullable
    Duration pollMax;

    @Nullable
    String owner;

    Map<String, String> metadata = Map.of();
    boolean reentrant;
    OnLost onLost = OnLost.DEFAULT;

    RequestValues(String name) {
        this.names = one(name);
    }

    static List<String> one(String name) {
        return Collections.singletonList(name); // which may be null, to be rejected with a message
    }

    /** Returns names in the order in which every caller acquires them: a common prefix does not change it. */
    static List<String> sorted(Collection<String> names) {
        if (Objects.requireNonNull(names, "names").isEmpty()) {
            throw new InvalidSettingException("names", "must not be empty", names);
        }
        names.forEach(LockNames::requireText);
        return names.stream().distinct().sorted().toList();
    }

    /** Rejects invalid values, and combinations. */
    void check() {
        for (String name : names) {
            LockNames.requireText(name);
        }
        SettingsRules.requireLease("leaseDuration", leaseDuration);
        SettingsRules.requireNotNegative("waitTime", waitTime);
        SettingsRules.requireLease("maxHold", maxHold);
        SettingsRules.requireShort("minHold", minHold);
        if (minHold != null && maxHold != null && minHold.compareTo(maxHold) > 0) {
            throw new InvalidSettingException(
                    "minHold", "must not exceed {maxHold} (" + Durations.shown(maxHold) + ")", minHold);
        }
        SettingsRules.requirePolling(pollMin, pollMax);
        if (owner != null) {
            Texts.requireOwner(owner);
        }
        Texts.requireMetadata(metadata);
    }

    RequestValues copy() {
        try {
            return (RequestValues) clone();
        } catch (CloneNotSupportedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    Map<String, @Nullable Object> all() {
        Map<String, @Nullable Object> all = new LinkedHashMap<>();
        all.put("name", names.size() == 1 ? names.get(0) : names);
        all.put("leaseDuration", leaseDuration);
        all.put("waitTime", waitTime);
        all.put("autoRenew", autoRenew);
        all.put("maxHold", maxHold);
        all.put("minHold", minHold);
        all.put("pollMin", pollMin);
        all.put("pollMax", pollMax);
        all.put("owner", owner);
        all.put("metadata", metadata);
        all.put("reentrant", reentrant);
        all.put("onLost", onLost);
        return all;
    }
}
