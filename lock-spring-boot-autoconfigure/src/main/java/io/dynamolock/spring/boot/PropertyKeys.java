/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/**
 * Knows which property stands for which setting of the core, where one manager has it from, and what helps against a wrong one.
 *
 * @param places the full key of a property, given its key below {@code dynamolock}
 */
record PropertyKeys(UnaryOperator<String> places) {

    static final String PREFIX = "dynamolock";

    /** The keys of the default manager. */
    static final PropertyKeys DEFAULT = new PropertyKeys(key -> PREFIX + "." + key);

    private static final Map<String, String> KEYS = Map.ofEntries(
            Map.entry("leaseDuration", "lease.duration"),
            Map.entry("maxLeaseDuration", "lease.max-duration"),
            Map.entry("maxClockSkew", "lease.max-clock-skew"),
            Map.entry("lockDelay", "lease.lock-delay"),
            Map.entry("warnAfter", "lease.warn-after"),
            Map.entry("heartbeatInterval", "heartbeat.interval"),
            Map.entry("heartbeatThreads", "heartbeat.threads"),
            Map.entry("waitTime", "wait.time"),
            Map.entry("pollMin", "wait.poll-min"),
            Map.entry("pollMax", "wait.poll-max"),
            Map.entry("attemptTimeout", "client.attempt-timeout"),
            Map.entry("callTimeout", "client.call-timeout"),
            Map.entry("firstAnswerTimeout", "client.first-answer-timeout"),
            Map.entry("maxConcurrentRequests", "client.max-concurrent-requests"),
            Map.entry("shutdownGrace", "shutdown.grace-period"),
            Map.entry("tokenKey", "token-key"),
            Map.entry("baseDelay", "retry.base-delay"),
            Map.entry("maxDelay", "retry.max-delay"),
            Map.entry("tableName", "table.name"),
            Map.entry("partitionKey", "table.partition-key"),
            Map.entry("sortKey", "table.sort-key"),
            Map.entry("sortKeyValue", "table.sort-key-value"),
            Map.entry("ttlAttribute", "table.ttl-attribute"),
            Map.entry("retention", "table.retention"),
            Map.entry("readCapacity", "table.read-capacity"),
            Map.entry("writeCapacity", "table.write-capacity"));

    private static final Pattern SETTING = Pattern.compile("\\b(" + String.join("|", KEYS.keySet()) + ")\\b");

    /** What helps, with keys in braces; where nothing is said, to correct the property or to leave it out. */
    private static final Map<String, String> REMEDIES = Map.of(
            "lease.duration",
            "Set {lease.duration} to a positive duration that fits the others, such as 30s.",
            "heartbeat.interval",
            "Set {heartbeat.interval} to at most half of {lease.duration}, or leave it out to renew after each third of the"
                    + " lease.",
            "token-key",
            "Set {token-key} to a random text of at least 32 characters, the same for all that exchange lease tokens, or leave"
                    + " it out to have tokens without a signature.",
            "client.attempt-timeout",
            "Lower {client.attempt-timeout}, raise {lease.duration}, or leave the timeout out to have a fitting one.",
            "client.call-timeout",
            "Lower {client.call-timeout}, raise {lease.duration}, or leave the timeout out to have a fitting one.");

    private static final Pattern BRACES = Pattern.compile("\\{([a-z.-]+)}");

    /** The full key of a property, given its key below {@code dynamolock}. */
    String of(String key) {
        return places.apply(key);
    }

    /** A text with the full key in the place of each {@code {key}}. */
    String in(String text) {
        return BRACES.matcher(text).replaceAll(found -> Matcher.quoteReplacement(of(found.group(1))));
    }

    /** Makes something of properties; what the core refuses is told in the words of the properties. */
    <T> T translating(Supplier<T> factory) {
        try {
            return factory.get();
        } catch (IllegalArgumentException refused) {
            String message = String.valueOf(refused.getMessage());
            if (message.startsWith("client ")) {
                throw new InvalidLockPropertyException(
                        "dynamolockClient",
                        "The DynamoDbClient bean cannot be used for locks: " + message,
                        "Define another DynamoDbClient bean for locks alone, with the name dynamolockClient and"
                                + " defaultCandidate = false.",
                        refused);
            }
            Matcher setting = SETTING.matcher(message);
            if (!setting.find()) {
                throw refused;
            }
            String key = keyOf(setting);
            throw new InvalidLockPropertyException(of(key), translated(message), remedy(key), refused);
        }
    }

    /** A message of the core in the words of the properties. */
    String translated(String message) {
        return SETTING.matcher(message).replaceAll(found -> Matcher.quoteReplacement(of(keyOf(found))));
    }

    private static String keyOf(MatchResult setting) {
        return KEYS.getOrDefault(setting.group(), setting.group());
    }

    /**
     * Refuses a value.
     *
     * @param key of the property below {@code dynamolock}
     * @param rule what it must do, with other keys in braces
     */
    void require(boolean right, String key, @Nullable Object value, String rule) {
        if (!right) {
            throw new InvalidLockPropertyException(
                    of(key), "%s must %s, but is '%s'".formatted(of(key), in(rule), value), remedy(key), null);
        }
    }

    String requireText(String key, @Nullable String value) {
        require(StringUtils.hasText(value), key, value, "not be blank");
        return String.valueOf(value);
    }

    /**
     * Says that properties cannot be as they are.
     *
     * @param key the one to blame, below {@code dynamolock}
     * @param problem with keys in braces, without a full stop
     * @param remedy with keys in braces, as a sentence
     */
    InvalidLockPropertyException refusal(String key, String problem, String remedy, @Nullable Throwable cause) {
        return new InvalidLockPropertyException(of(key), in(problem), in(remedy), cause);
    }

    private String remedy(String key) {
        return in(REMEDIES.getOrDefault(key, "Correct {" + key + "}, or leave it out to have its default."));
    }
}
