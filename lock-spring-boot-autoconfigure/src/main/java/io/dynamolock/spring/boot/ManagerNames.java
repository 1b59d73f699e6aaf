/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindContext;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.env.Environment;

/** Names of the managers below {@code dynamolock.managers}, which are bean names. */
final class ManagerNames {

    private static final String MANAGERS = PropertyKeys.PREFIX + ".managers";

    static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of(MANAGERS);

    /** Position of the name in a key. */
    static final int POSITION = 2;

    private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9-]*");

    private static final Pattern INDEX = Pattern.compile("\\d+");

    private ManagerNames() {}

    /** Lists the names before {@link DynamolockProperties} can be bound, with the converters of the application. */
    static Set<String> in(Environment environment) {
        Map<String, Object> names = new LinkedHashMap<>();
        Binder.get(environment, new BindHandler() {
                    @Override
                    public @Nullable Object onFailure(
                            ConfigurationPropertyName name, Bindable<?> target, BindContext context, Exception error) {
                        if (isEmptyGroup(context)) {
                            return null;
                        }
                        names.put(name.getElement(POSITION, Form.ORIGINAL), error);
                        return null;
                    }
                })
                .bind(MANAGERS, Bindable.mapOf(String.class, ManagerOverrides.class))
                .ifBound(names::putAll);
        return distinct(names).keySet();
    }

    /** Whether it is the empty value of the group that is bound, as of one without lines in YAML. Rejects another value. */
    static boolean isEmptyGroup(BindContext context) {
        ConfigurationProperty bound = context.getConfigurationProperty();
        if (bound == null || !bound.getName().equals(PREFIX)) {
            return false;
        }
        EmptyPropertiesAdvisor.requireNone(bound, () -> MANAGERS + ".<name>.table.name");
        return true;
    }

    /**
     * Keeps one of several spellings of a name, preferably one with dashes or capitals, which environment variables
     * cannot have. Each of them has the properties of all, because keys are compared by letters and digits.
     */
    static <T> Map<String, T> distinct(Map<String, T> managers) {
        Map<String, String> spellings = new LinkedHashMap<>();
        managers.keySet().forEach(name -> spellings.merge(letters(valid(name)), name, ManagerNames::betterWritten));
        Map<String, T> distinct = new LinkedHashMap<>();
        spellings.values().forEach(name -> distinct.put(name, managers.get(name)));
        return Collections.unmodifiableMap(distinct);
    }

    static String key(String name) {
        return MANAGERS + "." + name;
    }

    private static String valid(String name) {
        if (INDEX.matcher(name).matches()) {
            throw new InvalidLockPropertyException(
                    "%s must be a map of names, but has the key %s, as a list has".formatted(MANAGERS, name),
                    "Give each lock manager a name instead of a dash, as in YAML's"
                            + " managers: {billing: {table.name: billing-locks}}.",
                    null);
        }
        if (!NAME.matcher(name).matches()) {
            throw new InvalidLockPropertyException(
                    key(name)
                            + ": the name of a lock manager must consist of letters, digits and dashes and start with a"
                            + " letter, but is '" + name + "'",
                    "Rename it.",
                    null);
        }
        if (name.equals(ManagerProperties.DEFAULT_MANAGER)) {
            throw taken(name);
        }
        return name;
    }

    static InvalidLockPropertyException taken(String name) {
        return new InvalidLockPropertyException(
                "%s needs the bean name '%s', which another bean has".formatted(key(name), name),
                "Rename the lock manager or the bean.",
                null);
    }

    private static String betterWritten(String one, String other) {
        return one.equals(letters(one)) ? other : one;
    }

    private static String letters(String name) {
        return name.replace("-", "").toLowerCase(Locale.ROOT);
    }
}
