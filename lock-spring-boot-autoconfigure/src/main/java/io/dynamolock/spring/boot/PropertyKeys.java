/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** Knows which property stands for which setting of the core, and what helps against a wrong one. */
final class PropertyKeys {

    private static final Map<String, String> KEYS = Map.ofEntries(
            Map.entry("leaseDuration", "dynamolock.lease.duration"),
            Map.entry("maxLeaseDuration", "dynamolock.lease.max-duration"),
            Map.entry("maxClockSkew", "dynamolock.lease.max-clock-skew"),
            Map.entry("grace", "dynamolock.lease.grace"),
            Map.entry("heartbeatInterval", "dynamolock.heartbeat.interval"),
            Map.entry("heartbeatThreads", "dynamolock.heartbeat.threads"),
            Map.entry("waitTime", "dynamolock.wait.time"),
            Map.entry("pollMin", "dynamolock.wait.poll-min"),
            Map.entry("pollMax", "dynamolock.wait.poll-max"),
            Map.entry("attemptTimeout", "dynamolock.client.attempt-timeout"),
            Map.entry("callTimeout", "dynamolock.client.call-timeout"),
            Map.entry("shutdownGrace", "dynamolock.shutdown.grace-period"),
            Map.entry("baseDelay", "dynamolock.retry.base-delay"),
            Map.entry("maxDelay", "dynamolock.retry.max-delay"),
            Map.entry("tableName", "dynamolock.table.name"),
            Map.entry("partitionKey", "dynamolock.table.partition-key"),
            Map.entry("sortKey", "dynamolock.table.sort-key"),
            Map.entry("sortKeyValue", "dynamolock.table.sort-key-value"),
            Map.entry("ttlAttribute", "dynamolock.table.ttl-attribute"),
            Map.entry("retention", "dynamolock.table.retention"),
            Map.entry("readCapacity", "dynamolock.table.read-capacity"),
            Map.entry("writeCapacity", "dynamolock.table.write-capacity"));

    private static final Pattern SETTING = Pattern.compile("\\b(" + String.join("|", KEYS.keySet()) + ")\\b");

    private static final Map<String, String> REMEDIES = Map.of(
            "dynamolock.lease.duration",
            "Set dynamolock.lease.duration to a positive duration that fits the others, such as 30s.",
            "dynamolock.heartbeat.interval",
            "Set dynamolock.heartbeat.interval to at most half of dynamolock.lease.duration, or leave it out to renew after"
                    + " each third of the lease.",
            "dynamolock.client.attempt-timeout",
            "Lower dynamolock.client.attempt-timeout, raise dynamolock.lease.duration, or leave the timeout out to have a"
                    + " fitting one.",
            "dynamolock.client.call-timeout",
            "Lower dynamolock.client.call-timeout, raise dynamolock.lease.duration, or leave the timeout out to have a"
                    + " fitting one.");

    private PropertyKeys() {}

    /** Makes something of properties; what the core refuses is told in the words of the properties. */
    static <T> T translating(Supplier<T> factory) {
        try {
            return factory.get();
        } catch (IllegalArgumentException refused) {
            String message = String.valueOf(refused.getMessage());
            Matcher setting = SETTING.matcher(message);
            if (!setting.find()) {
                throw refused;
            }
            String key = KEYS.getOrDefault(setting.group(), setting.group());
            String problem =
                    SETTING.matcher(message).replaceAll(found -> KEYS.getOrDefault(found.group(), found.group()));
            throw new InvalidLockPropertyException(key, problem, remedy(key), refused);
        }
    }

    static void require(boolean right, String key, @Nullable Object value, String rule) {
        if (!right) {
            throw new InvalidLockPropertyException(
                    key, "%s must %s, but is '%s'".formatted(key, rule, value), remedy(key), null);
        }
    }

    static String requireText(String key, @Nullable String value) {
        require(StringUtils.hasText(value), key, value, "not be blank");
        return String.valueOf(value);
    }

    private static String remedy(String key) {
        return REMEDIES.getOrDefault(key, "Correct " + key + ", or leave it out to have its default.");
    }
}
