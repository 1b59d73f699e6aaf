/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.spring.boot.DynamolockProperties.Store;
import java.util.Objects;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/** Properties of the managers in {@code dynamolock.managers}. */
final class NamedManagers {

    private final DynamolockProperties properties;
    private final Environment environment;

    NamedManagers(DynamolockProperties properties, Environment environment) {
        this.properties = properties;
        this.environment = environment;
    }

    /**
     * Returns the properties of one manager, including inherited ones.
     *
     * @throws InvalidLockPropertyException if one of them is invalid
     */
    ManagerProperties of(String name) {
        ManagerOverrides overrides =
                Objects.requireNonNull(properties.managers().get(name), name);
        ManagerProperties manager = new ManagerProperties(
                name,
                overrides.over(properties),
                new PropertyKeys(key -> place(name, key)),
                overrides.client().hasConnection());
        LockSettingsMapper.check(manager);
        return manager;
    }

    /**
     * Counts the connections that the client of the default manager needs, including those for each manager in DynamoDB
     * without its own connection settings.
     */
    int connectionsWith(ManagerProperties defaultManager) {
        Stream<ManagerProperties> sharing = properties.managers().keySet().stream()
                .map(this::of)
                .filter(manager -> manager.values().store() == Store.DYNAMODB && !manager.ownConnection());
        long all = Stream.concat(Stream.of(defaultManager), sharing)
                .mapToLong(manager -> LockSettingsMapper.lockSettings(manager).connections())
                .sum();
        return (int) Math.min(all, Integer.MAX_VALUE);
    }

    /** Returns the full key under which a property is set; if it is not set, the key of the manager itself. */
    private String place(String name, String key) {
        ConfigurationPropertyName own = ConfigurationPropertyName.adapt(ManagerNames.key(name) + "." + key, '.');
        ConfigurationPropertyName inherited = ConfigurationPropertyName.of(PropertyKeys.PREFIX + "." + key);
        return (!isSet(own) && isSet(inherited) ? inherited : own).toString();
    }

    private boolean isSet(ConfigurationPropertyName key) {
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.getConfigurationProperty(key) != null) {
                return true;
            }
        }
        return false;
    }
}
