/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock;

import io.dynamolock.time.Durations;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if a setting of a manager, a request, a retry policy or a store is out of range or conflicts with another one.
 * The message names the setting, the rule and the value.
 *
 * @since 0.1
 */
public final class InvalidSettingException extends IllegalArgumentException {

    private static final Pattern BRACES = Pattern.compile("\\{(\\w+)}");

    /** The name of the setting. */
    private final String setting;

    /** The rule, with other settings in braces. */
    private final String rule;

    /** What was found instead, as the message shows it. */
    private final @Nullable String found;

    /** The rejected value. */
    private final transient @Nullable Object value;

    /**
     * Creates the exception for a setting.
     *
     * @param setting the name of the setting, as its builder method is called
     * @param rule the rule after the name, such as "must not be negative", with the names of other settings in braces;
     *     no values of callers
     * @param value the rejected value; null for a missing value, or for a secret
     */
    public InvalidSettingException(String setting, String rule, @Nullable Object value) {
        this(setting, rule, value, setting, value == null ? null : "is " + shown(value));
    }

    /**
     * Creates the exception with another subject of the message than the name of the setting.
     *
     * @param found what was found, as the message shows it after "but"; null for nothing
     */
    InvalidSettingException(
            String setting, String rule, @Nullable Object value, String subject, @Nullable String found) {
        super(message(subject, withNames(rule, UnaryOperator.identity()), found));
        this.setting = setting;
        this.rule = rule;
        this.found = found;
        this.value = value;
    }

    /** {@return the name of the setting, as its builder method is called} */
    public String setting() {
        return setting;
    }

    /** {@return the rule after the name of the setting, such as "must not exceed maxLeaseDuration (10s)"} */
    public String rule() {
        return withNames(rule, UnaryOperator.identity());
    }

    /** {@return the rejected value; null for a missing value, for a secret, and after deserialization} */
    public @Nullable Object value() {
        return value;
    }

    /**
     * Returns the message with other names for the settings, such as the keys of configuration properties. Replaces
     * names of settings only, never a part of a value.
     *
     * @param names the name to use, given the name of a setting
     * @return the message: name, rule, and what was found
     */
    public String message(UnaryOperator<String> names) {
        return message(names.apply(setting), withNames(rule, names), found);
    }

    private static String message(String subject, String rule, @Nullable String found) {
        return subject + " " + rule + (found == null ? "" : ", but " + found);
    }

    private static String withNames(String rule, UnaryOperator<String> names) {
        return BRACES.matcher(rule).replaceAll(found -> Matcher.quoteReplacement(names.apply(found.group(1))));
    }

    private static String shown(Object value) {
        if (value instanceof Duration duration) {
            return Durations.shown(duration);
        }
        return value instanceof String text ? "'" + Texts.shown(text) + "'" : value.toString();
    }
}
