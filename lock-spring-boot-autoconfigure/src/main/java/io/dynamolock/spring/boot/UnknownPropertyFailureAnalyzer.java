/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Explains unknown properties below {@code dynamolock}: names the most similar known one. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnknownPropertyFailureAnalyzer extends AbstractFailureAnalyzer<UnboundConfigurationPropertiesException> {

    /** So many characters are wrong by mistake. */
    private static final int SLIP = 2;

    private static final int OTHER = 3;
    private static final ConfigurationPropertyName SWITCH = KnownKeys.PREFIX.append(OnLocking.KEY);

    /** Creates the analyzer. Called by Spring. */
    UnknownPropertyFailureAnalyzer() {}

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable failure, UnboundConfigurationPropertiesException unbound) {
        if (!unbound.getUnboundProperties().stream()
                .allMatch(property -> KnownKeys.PREFIX.isAncestorOf(property.getName()))) {
            return null;
        }
        return new FailureAnalysis(
                lines(unbound, UnknownPropertyFailureAnalyzer::problem),
                lines(unbound, UnknownPropertyFailureAnalyzer::remedy),
                failure);
    }

    private static String lines(
            UnboundConfigurationPropertiesException unbound, Function<ConfigurationProperty, String> line) {
        return unbound.getUnboundProperties().stream().map(line).collect(Collectors.joining("\n"));
    }

    private static String problem(ConfigurationProperty property) {
        return "There is no property %s%s.".formatted(property.getName(), KnownKeys.origin(property));
    }

    private static String remedy(ConfigurationProperty property) {
        ConfigurationPropertyName global = global(property.getName());
        if (KnownKeys.contains(global)) {
            return "%s applies to all managers and cannot be set for one: set %s instead, or remove it."
                    .formatted(property.getName(), global);
        }
        return "Correct %s, or remove it.%s"
                .formatted(
                        property.getName(),
                        nearest(property.getName())
                                .map(" The most similar property is %s."::formatted)
                                .orElse(""));
    }

    /** Returns the key without the name of a manager; the key itself if it names none. */
    private static ConfigurationPropertyName global(ConfigurationPropertyName key) {
        int names = ManagerNames.POSITION + 1;
        return key.getNumberOfElements() > names && ManagerNames.PREFIX.isAncestorOf(key)
                ? KnownKeys.PREFIX.append(key.subName(names))
                : key;
    }

    /**
     * Returns the most similar key: the same end counts more than the rest, as {@code region} means a client's. The
     * {@code enabled} of a group does not mean the switch of all locks.
     */
    private static Optional<ConfigurationPropertyName> nearest(ConfigurationPropertyName unknown) {
        ConfigurationPropertyName nearest = KnownKeys.comparedWith(unknown)
                .filter(known -> !known.equals(SWITCH) || KnownKeys.PREFIX.isParentOf(unknown))
                .min(Comparator.comparingInt((ConfigurationPropertyName known) -> rank(known, unknown))
                        .thenComparingInt(known -> distance(known, unknown)))
                .orElseThrow();
        int length = unknown.toString().length() - KnownKeys.PREFIX.toString().length();
        return rank(nearest, unknown) < OTHER || distance(nearest, unknown) <= length / 2
                ? Optional.of(nearest)
                : Optional.empty();
    }

    private static int rank(ConfigurationPropertyName known, ConfigurationPropertyName unknown) {
        String end = known.getLastElement(Form.DASHED);
        String unknownEnd = unknown.getLastElement(Form.DASHED);
        if (distance(known, unknown) <= SLIP) {
            return 0;
        }
        if (end.equals(unknownEnd)) {
            return 1;
        }
        return end.startsWith(unknownEnd + "-") ? 2 : OTHER;
    }

    private static int distance(ConfigurationPropertyName one, ConfigurationPropertyName other) {
        return distance(one.toString(), other.toString());
    }

    /** Returns how many characters must be inserted, removed or replaced (Levenshtein). */
    private static int distance(String one, String other) {
        int[] before = new int[other.length() + 1];
        Arrays.setAll(before, i -> i);
        for (int i = 1; i <= one.length(); i++) {
            int[] row = new int[other.length() + 1];
            row[0] = i;
            for (int j = 1; j <= other.length(); j++) {
                int replaced = before[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(before[j], row[j - 1]));
            }
            before = row;
        }
        return before[other.length()];
    }
}
