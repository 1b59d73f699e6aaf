/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.InvalidSettingException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.format.annotation.DurationFormat;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;

/**
 * Maps settings of the core to property keys of one manager, and translates rejections of settings.
 *
 * @param places returns the full key of a property, given its key below {@code dynamolock}
 */
record PropertyKeys(UnaryOperator<String> places) {

    static final String PREFIX = "dynamolock";

    /** Keys of the default manager. */
    static final PropertyKeys DEFAULT = new PropertyKeys(key -> PREFIX + "." + key);

    /** Keys of the election of a leader, whose lease has its own duration. */
    static final PropertyKeys LEADER =
            new PropertyKeys(key -> DEFAULT.of(key.equals("lease.duration") ? "leader.lease-duration" : key));

    private static final Map<String, String> KEYS = Map.ofEntries(
            Map.entry("leaseDuration", "lease.duration"),
            Map.entry("maxLeaseDuration", "lease.max-duration"),
            Map.entry("time", "lease.time"),
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
            Map.entry("firstResponseTimeout", "client.first-response-timeout"),
            Map.entry("maxConcurrentRequests", "client.max-concurrent-requests"),
            Map.entry("shutdownGrace", "shutdown.grace-period"),
            Map.entry("name", "leader.name"), // the only lock name among the properties
            Map.entry("namePrefix", "name-prefix"),
            Map.entry("owner", "owner"),
            Map.entry("onLost", "on-lost"),
            Map.entry("tokenKey", "token-key"),
            Map.entry("maxAttempts", "retry.max-attempts"),
            Map.entry("multiplier", "retry.multiplier"),
            Map.entry("jitter", "retry.jitter"),
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

    /** Remedies with keys in braces. The default remedy is to correct the property, or to remove it for its default. */
    private static final Map<String, String> REMEDIES = Map.ofEntries(
            Map.entry(
                    "lease.duration",
                    "Set {lease.duration} to a positive duration of at most {lease.max-duration}, if that is set, and of at most 365"
                            + " days."),
            Map.entry(
                    "heartbeat.interval",
                    "Set {heartbeat.interval} to a positive duration of at most half of {lease.duration}, or remove it to renew after"
                            + " each third of the lease."),
            Map.entry(
                    "wait.poll-max",
                    "Set {wait.poll-max} to at least {wait.poll-min} and at most 365 days, or lower {wait.poll-min}."),
            Map.entry(
                    "retry.base-delay",
                    "Set {retry.base-delay} to a duration from zero to {retry.max-delay}, or raise {retry.max-delay}."),
            Map.entry(
                    "token-key",
                    "Set {token-key} to a random text of at least 32 characters, the same in all processes that exchange lease"
                            + " tokens, or remove it to have tokens without a signature."),
            Map.entry(
                    "client.attempt-timeout",
                    "Set {client.attempt-timeout} to a positive duration that {lease.duration} permits, or remove it to derive it from"
                            + " the lease."),
            Map.entry(
                    "client.call-timeout",
                    "Set {client.call-timeout} to a positive duration that {lease.duration} permits, or remove it to derive it from the"
                            + " lease."),
            Map.entry(
                    "leader.name",
                    "Set {leader.name} to a name that all processes of the application share, or remove it to elect none."),
            Map.entry("table.sort-key-value", "Set {table.sort-key-value} to a text of at most 1,024 bytes."),
            Map.entry(
                    "table.read-capacity",
                    "Set {table.read-capacity} to 1 or more with {table.billing-mode} = provisioned, or remove it with"
                            + " pay-per-request."),
            Map.entry(
                    "table.write-capacity",
                    "Set {table.write-capacity} to 1 or more with {table.billing-mode} = provisioned, or remove it with"
                            + " pay-per-request."));

    private static final Pattern BRACES = Pattern.compile("\\{([a-z.-]+)}");

    /** Returns the full key of a property, given its key below {@code dynamolock}. */
    String of(String key) {
        return places.apply(key);
    }

    /** Replaces each {@code {key}} in a text by the full key. */
    String in(String text) {
        return BRACES.matcher(text).replaceAll(found -> Matcher.quoteReplacement(of(found.group(1))));
    }

    /** Calls a factory. Translates a setting that the core rejects to its property. */
    <T> T translating(Supplier<T> factory) {
        try {
            return factory.get();
        } catch (InvalidSettingException rejected) {
            if (rejected.setting().equals("client")) {
                throw new InvalidLockPropertyException(
                        "The DynamoDbClient bean cannot be used for locks: " + rejected.getMessage(),
                        in("Define another DynamoDbClient bean for locks only, with the name dynamolockClient and"
                                + " defaultCandidate = false; or keep the locks of a test in memory, by"
                                + " @AutoConfigureTestLocks or {store} = memory."),
                        rejected);
            }
            String key = KEYS.get(rejected.setting());
            if (key == null) {
                throw rejected;
            }
            throw new InvalidLockPropertyException(rejected.message(this::ofSetting), remedy(key), rejected);
        }
    }

    private String ofSetting(String setting) {
        String key = KEYS.get(setting);
        return key == null ? setting : of(key);
    }

    /**
     * Rejects an invalid value.
     *
     * @param key the key of the property below {@code dynamolock}
     * @param rule the rule after "must", with other keys in braces
     */
    void require(boolean right, String key, @Nullable Object value, String rule) {
        if (!right) {
            throw new InvalidLockPropertyException(
                    "%s must %s, but is '%s'".formatted(of(key), in(rule), shown(value)), remedy(key), null);
        }
    }

    static @Nullable Object shown(@Nullable Object value) {
        // The formatter negates negative durations, which overflows for the smallest one
        return value instanceof Duration duration && duration.toSeconds() > Long.MIN_VALUE
                ? DurationFormatterUtils.print(duration, DurationFormat.Style.COMPOSITE)
                : value;
    }

    String requireText(String key, @Nullable String value) {
        require(StringUtils.hasText(value), key, value, "not be blank");
        return String.valueOf(value);
    }

    /**
     * Creates the exception for an invalid property.
     *
     * @param problem the problem, with keys in braces, without a full stop
     * @param remedy the remedy, with keys in braces, as a sentence
     */
    InvalidLockPropertyException rejection(String problem, String remedy, @Nullable Throwable cause) {
        return new InvalidLockPropertyException(in(problem), in(remedy), cause);
    }

    private String remedy(String key) {
        return in(REMEDIES.getOrDefault(key, "Correct {" + key + "}, or remove it to use its default."));
    }
}
