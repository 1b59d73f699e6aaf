/*
 * Copyright 2026 the dynamolock authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.dynamolock.spring.boot;

import io.dynamolock.spring.boot.DynamolockProperties.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/**
 * Reads {@code dynamolock.managers.<name>.*}. Each manager inherits the properties that it does not set from
 * {@code dynamolock.*}.
 */
final class NamedManagers {

    private static final ConfigurationPropertyName BASE = ConfigurationPropertyName.of(PropertyKeys.PREFIX);
    private static final List<String> CONNECTION =
            List.of("client.region", "client.endpoint", "client.access-key", "client.secret-key");

    private final Environment environment;

    NamedManagers(Environment environment) {
        this.environment = environment;
    }

    /**
     * Lists the managers.
     *
     * @return their names as written
     * @throws InvalidLockPropertyException if there is an unknown key or an invalid name
     */
    List<String> names() {
        return ManagerNames.in(sources());
    }

    /**
     * Reads the properties of one manager.
     *
     * @throws InvalidLockPropertyException if one of them is invalid
     */
    ManagerProperties of(String name) {
        ConfigurationPropertyName prefix = ManagerNames.prefix(name);
        PropertyKeys keys = new PropertyKeys(key -> place(prefix, key));
        ManagerProperties manager = new ManagerProperties(
                name, bind(prefix), keys, CONNECTION.stream().anyMatch(key -> find(prefix.append(key)) != null));
        LockSettingsMapper.check(manager);
        return manager;
    }

    /**
     * Counts the connections that the client of the default manager needs, including those for each manager in DynamoDB
     * without its own connection settings.
     */
    int connectionsWith(ManagerProperties defaultManager) {
        Stream<ManagerProperties> sharing = names().stream()
                .map(this::of)
                .filter(manager -> manager.values().store() == Store.DYNAMODB && !manager.ownConnection());
        long all = Stream.concat(Stream.of(defaultManager), sharing)
                .mapToLong(manager -> LockSettingsMapper.lockSettings(manager).connections())
                .sum();
        return (int) Math.min(all, Integer.MAX_VALUE);
    }

    private DynamolockProperties bind(ConfigurationPropertyName prefix) {
        List<ConfigurationPropertySource> layers = new ArrayList<>();
        sources().forEach(source -> layers.add(new ManagerSource(source, BASE, prefix)));
        sources().forEach(layers::add);
        try {
            return new Binder(layers, new PropertySourcesPlaceholdersResolver(environment))
                    .bindOrCreate(PropertyKeys.PREFIX, Bindable.of(DynamolockProperties.class));
        } catch (BindException unreadable) {
            throw unreadable(unreadable);
        }
    }

    private static RuntimeException unreadable(BindException failure) {
        ConfigurationProperty property = failure.getProperty();
        if (property == null) {
            return failure;
        }
        String key = property.getName().toString();
        return new InvalidLockPropertyException(
                key,
                "%s = '%s' is not a value of type %s"
                        .formatted(
                                key,
                                property.getValue(),
                                Objects.requireNonNull(
                                                failure.getTarget().getType().resolve(Object.class))
                                        .getSimpleName()),
                "Correct " + key + ", or remove it to inherit the value of dynamolock.*.",
                failure);
    }

    /** Returns the full key under which a property is set; if it is not set, the key of the manager itself. */
    private String place(ConfigurationPropertyName prefix, String key) {
        ConfigurationPropertyName own = prefix.append(key);
        ConfigurationPropertyName inherited = BASE.append(key);
        return (find(own) == null && find(inherited) != null ? inherited : own).toString();
    }

    private @Nullable ConfigurationProperty find(ConfigurationPropertyName key) {
        for (ConfigurationPropertySource source : sources()) {
            ConfigurationProperty property = source.getConfigurationProperty(key);
            if (property != null) {
                return property;
            }
        }
        return null;
    }

    private Iterable<ConfigurationPropertySource> sources() {
        return ConfigurationPropertySources.get(environment);
    }
}
