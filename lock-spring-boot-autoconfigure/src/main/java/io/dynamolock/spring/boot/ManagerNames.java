/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;

/**
 * Finds the names of managers below {@code dynamolock.managers}. Rejects unknown keys: with a misspelled table name,
 * locks would be kept in the wrong table. Keys are compared by letters and digits only, since environment variables
 * have no dashes and no distinct capitals.
 */
final class ManagerNames {

    private static final ConfigurationPropertyName MANAGERS =
            ConfigurationPropertyName.of(PropertyKeys.PREFIX + ".managers");
    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9-]*");

    /** Properties that are the same for all managers. */
    private static final Set<String> SHARED = Set.of("enabled", "annotation", "metrics");

    private static final Set<String> KEYS = Set.copyOf(letters(DynamolockProperties.class, ""));

    private final Map<String, String> names = new LinkedHashMap<>();
    private final List<ConfigurationPropertyName> unknown = new ArrayList<>();

    private ManagerNames() {}

    static List<String> in(Iterable<ConfigurationPropertySource> sources) {
        ManagerNames found = new ManagerNames();
        for (ConfigurationPropertySource source : sources) {
            if (source instanceof IterableConfigurationPropertySource known) {
                known.stream().filter(MANAGERS::isAncestorOf).forEach(found::add);
            }
        }
        found.unknown.forEach(found::requireKnown);
        return List.copyOf(found.names.values());
    }

    static ConfigurationPropertyName prefix(String name) {
        return ConfigurationPropertyName.adapt(MANAGERS + "." + name, '.');
    }

    private void add(ConfigurationPropertyName property) {
        String name = property.getElement(MANAGERS.getNumberOfElements(), Form.ORIGINAL);
        String key = letters(property.subName(MANAGERS.getNumberOfElements() + 1));
        if (!key.isEmpty() && !KEYS.contains(key)) {
            unknown.add(property);
        } else if (!NAME.matcher(name).matches()) {
            throw refused(
                    property,
                    "the name of a lock manager must consist of letters, digits and dashes and start with a letter, but is '"
                            + name + "'",
                    "Rename it.");
        } else {
            names.merge(letters(name), name, ManagerNames::betterWritten);
        }
    }

    /** Prefers a name with dashes or capitals, which environment variables cannot have. */
    private static String betterWritten(String one, String other) {
        return one.equals(letters(one)) ? other : one;
    }

    /** Accepts keys of environment variables that have an underscore for each dash. */
    private void requireKnown(ConfigurationPropertyName property) {
        String all = letters(property.subName(MANAGERS.getNumberOfElements()));
        boolean isKnown = names.keySet().stream()
                .anyMatch(name -> all.startsWith(name) && KEYS.contains(all.substring(name.length())));
        if (!isKnown) {
            throw refused(
                    property,
                    "a lock manager has no such property",
                    "Correct it, or remove it. A lock manager has all properties below dynamolock, except "
                            + String.join(", ", new TreeSet<>(SHARED)) + ".");
        }
    }

    private static InvalidLockPropertyException refused(
            ConfigurationPropertyName property, String problem, String remedy) {
        return new InvalidLockPropertyException(property.toString(), property + ": " + problem, remedy, null);
    }

    private static List<String> letters(Class<?> type, String prefix) {
        List<String> keys = new ArrayList<>();
        for (Parameter component : type.getDeclaredConstructors()[0].getParameters()) {
            Name named = component.getAnnotation(Name.class);
            String key = named == null ? component.getName() : named.value();
            if (prefix.isEmpty() && SHARED.contains(key)) {
                continue;
            }
            if (component.getType().isRecord()) {
                keys.addAll(letters(component.getType(), prefix + letters(key)));
            } else {
                keys.add(prefix + letters(key));
            }
        }
        return keys;
    }

    private static String letters(ConfigurationPropertyName name) {
        return letters(name.toString());
    }

    private static String letters(String text) {
        return text.replaceAll("[^A-Za-z0-9]", "").toLowerCase(Locale.ROOT);
    }
}
